import type { LineOptions } from '../lib/exec.ts';
import type { Redactor } from '../lib/redact.ts';
import type { Runtime } from '../lib/runtime.ts';

export interface Place {
  /** For messages: `file:./audit-token`, `exec:vault` (a command without its arguments), `stdout`. */
  name: string;
  /** Tells whether two places are the same: a real path, the name, or a hash of a command. */
  id: string;
  /** The real path of a file that the secret is written to. */
  file?: string;
  /** Changes nothing. Throws UsageError if the secret could certainly not be delivered. */
  check(): Promise<void>;
  /** Undefined if the place has no token. Only file and env-file can be read. Throws UsageError. */
  read?(): string | undefined;
  /** Hides the secret in the log of a job, so it comes before the others. */
  isMasking?: boolean;
  /** Throws `not-delivered`, and the signal's reason if the signal aborts first. */
  deliver(secret: string): Promise<void>;
}

export interface PlaceContext extends LineOptions {
  org: string;
  stateFolder: string;
  runtime: Runtime;
  signal: AbortSignal;
  redactor: Redactor;
  output: { secret(text: string): Promise<void> };
  writeRaw(text: string): Promise<void>;
}
