import type { Host } from '../../host.ts';
import type { Redactor } from '../../secrets/stream.ts';

/** A place that a new secret is delivered to, as named by one `--to`. */
export interface Sink {
  /** As written after `--to`. Holds no secret of ours. */
  readonly name: string;
  readonly kind: 'file' | 'env-file' | 'exec' | 'github-output' | 'stdout';
  /** Looks without leaving a trace. Throws UsageError. Sees less than `prepare`, which makes what it needs. */
  check(): Promise<void>;
  /**
   * Absolute paths of the files that `prepare(unique)` may make, known before it does. Whoever finds them after a run
   * that died removes them. Throws UsageError.
   */
  temporaries(unique: string): Promise<readonly string[]>;
  /** Does everything that can fail before there is a secret. Throws UsageError and then leaves nothing behind. */
  prepare(unique: string): Promise<PreparedSink>;
  /** The secret that is there now; undefined when there is none, or none that can be read. Never throws. */
  read(): Promise<string | undefined>;
}

export interface PreparedSink {
  readonly sink: Sink;
  /** On disk, or accepted by the command, when it resolves. Throws OrgctlError `not-delivered`. At most once. */
  deliver(secret: string): Promise<void>;
  /** Takes back what `prepare` made and is still there. Safe after `deliver`, safe twice, never throws. */
  discard(): Promise<void>;
}

/** What sinks need of the machine and of the output. */
export interface SinkSurroundings
  extends Pick<Host, 'env' | 'platform' | 'user' | 'isStdoutDiscarded' | 'randomBytes'> {
  /** Absolute. Relative paths begin here, and commands run here. */
  readonly cwd: string;
  warn(text: string): void;
  /** Resolves when stdout has taken the text; rejects when it has not. */
  writeStdout(text: string): Promise<void>;
  writeStderr(text: string): Promise<void>;
  /** Whole lines that a command printed, without the secret. */
  showCommandOutput(text: string): Promise<void>;
  /** Takes this secret, and every other one that is known, out of what a command prints. */
  createRedactor(secret: string): Redactor;
  /** What the sink `stdout` prints for a secret, its newline included. */
  toStdoutText(secret: string): string;
  /** One line of another program, safe for a terminal. */
  toPlainLine(text: string): string;
  /** Signals a process, or with a negative id a process group. Throws when there is none. */
  sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void;
}
