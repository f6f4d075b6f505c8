import { isSignal, OrgctlError, UsageError } from '../../lib/errors.ts';
import type { LineOptions } from '../../lib/exec.ts';
import { formatFileError } from '../../lib/files.ts';
import type { Redactor } from '../../lib/redact.ts';
import type { Runtime } from '../../lib/runtime.ts';
import { ClosedPipe } from '../../output/writer.ts';
import { createFingerprint } from '../fingerprint.ts';
import { openEnvFile } from './env-file.ts';
import { openExec } from './exec.ts';
import { openFile } from './file.ts';
import { openGithubOutput } from './github-output.ts';
import { openStdout } from './stdout.ts';

/** A place that a rotation delivers the new secret to. */
export interface Place {
  /** For messages: `file:./audit-token`, `exec:vault` (a command without its arguments), `stdout`. */
  name: string;
  /** Tells whether two places are the same: a real path, or a hash. */
  id: string;
  /** The real path of a file that the secret is written to. */
  file?: string;
  /** Changes nothing. Throws UsageError if the secret could certainly not be delivered. */
  check(): Promise<void>;
  /** Undefined if the place has no token. Only file and env-file can be read. Throws UsageError. */
  read?(): string | undefined;
  /** Throws `not-delivered`, and the signal's reason if the signal aborts first. */
  deliver(secret: string): Promise<void>;
}

/** `onLine` gets lines of commands without the secret. */
export interface PlaceContext extends LineOptions {
  /** Replaces `{org}`. */
  org: string;
  stateFolder: string;
  runtime: Runtime;
  signal: AbortSignal;
  redactor: Redactor;
  /** Writes to stdout. */
  print(text: string): Promise<void>;
  /** Writes to stderr. */
  writeRaw(text: string): Promise<void>;
}

/** The `check` and `deliver` of an opener may throw any error. */
export interface PlaceOptions extends PlaceContext {
  /** Replaces `{org}`. Throws UsageError. */
  fill(text: string): string;
}

/** Without an `id` the name is hashed. */
export type OpenedPlace = Omit<Place, 'id'> & { id?: string };

const OPENERS: Record<string, (value: string, options: PlaceOptions) => OpenedPlace> = {
  file: openFile,
  'env-file': openEnvFile,
  exec: openExec,
  'github-output': openGithubOutput,
  stdout: openStdout,
};

/** `texts` are values of `--to`. Throws UsageError. */
export function openPlaces(texts: string[], context: PlaceContext): Place[] {
  return texts.map((text) => openPlace(text, context));
}

/** Throws UsageError if one place would overwrite what another got. */
export function assertDistinct(places: Place[]): void {
  for (const [index, place] of places.entries()) {
    const other = places.slice(0, index).find((each) => isSamePlace(each, place));
    if (other) throw new UsageError(`${other.name} and ${place.name} are the same file`);
  }
}

/** Two keys of one file are different places, unless a third place is the whole file. */
function isSamePlace(one: Place, other: Place): boolean {
  if (one.file === undefined || one.file !== other.file) return false;
  return one.id === other.id || [one.id, other.id].includes(one.file);
}

function openPlace(text: string, context: PlaceContext): Place {
  const { org, redactor } = context;
  const [kind = ''] = text.split(':', 1);
  const open = OPENERS[kind];
  if (!open) throw new UsageError(`--to: '${text}' is not a place for a secret`);
  const fill = (from: string): string => fillOrg(from, org);
  const place = open(text.slice(kind.length + 1), { ...context, fill });
  const explain = (error: unknown): string =>
    redactor.text(error instanceof ClosedPipe ? 'its reader has closed it' : formatFileError(error));
  return {
    ...place,
    id: place.id ?? createFingerprint(place.name),
    async check() {
      try {
        await place.check();
      } catch (error) {
        throw new UsageError(`can't deliver to ${place.name}: ${explain(error)}`, { cause: error });
      }
    },
    async deliver(secret) {
      redactor.add(secret);
      try {
        await place.deliver(secret);
      } catch (error) {
        if (isSignal(error)) throw error;
        const message = `the new token was not delivered to ${place.name}: ${explain(error)}`;
        throw new OrgctlError('not-delivered', message, { cause: error });
      }
    },
  };
}

function fillOrg(text: string, org: string): string {
  if (!text.includes('{org}')) return text;
  // The service chooses the name, which may become a part of a path or of a script for sh -c.
  if (!/^\w[\w-]*$/.test(org)) throw new UsageError(`--to: the name '${org}' can't replace {org}`);
  return text.replaceAll('{org}', org);
}
