import { OrgctlError, toReason } from '../../errors.ts';
import type { Host } from '../../host.ts';
import { ORGANIZATION_MARK } from '../../names.ts';
import type { Surroundings } from '../../subprocess/find-command.ts';
import type { Screen } from '../../subprocess/run-command.ts';
import { wrap } from '../../text/wrap.ts';

/** The places there are, as they are named after `--to`. */
export const SINK_FORMS = {
  file: 'file:PATH',
  'env-file': 'env-file:PATH#KEY',
  exec: 'exec:COMMAND',
  'github-output': 'github-output:NAME',
  stdout: 'stdout',
} as const;

export type SinkKind = keyof typeof SINK_FORMS;

/** A place for a new secret, as named by one `--to`. */
export interface Sink {
  /** As written after `--to`. Holds no secret of ours. */
  readonly name: string;
  readonly kind: SinkKind;
  /** The file that holds the secret, alone or as the value of a key. `path` is absolute. */
  readonly file?: { readonly path: string; readonly key?: string };
  /** The same for what is stored: without a command line, which may hold credentials. */
  readonly label: string;
  /** What it says of itself once `check` has found nothing wrong. */
  readonly ready: string;
  /** Whether the secret that it holds can be read there. */
  readonly isReadable: boolean;
  /** What is printed cannot be taken back: it comes after all others. */
  readonly isLast: boolean;
  /** Looks without leaving a trace, and finds less than `prepare`, which makes files. Throws UsageError. */
  check(): Promise<void>;
  /**
   * Absolute paths of the files that `prepare(unique)` may make, known before it does: after a killed run the next one
   * removes them. Throws UsageError.
   */
  temporaries(unique: string): Promise<readonly string[]>;
  /** Does everything that can fail before there is a secret. Throws UsageError, and then leaves nothing behind. */
  prepare(unique: string): Promise<PreparedSink>;
  /** The secret that is there now; undefined where there is none, or none that can be read. Never throws. */
  read(): Promise<string | undefined>;
}

export interface PreparedSink {
  readonly sink: Sink;
  /** On disk, or accepted by the command, when it resolves. Throws OrgctlError `not-delivered`. At most once. */
  deliver(secret: string): Promise<void>;
  /** Takes back what `prepare` made and is still there. Safe after `deliver`, safe twice, never throws. */
  discard(): Promise<void>;
}

/** What differs between kinds. `deliver` throws anything; `discard` and `read` are left out where there is nothing to do. */
interface SinkParts
  extends Pick<Sink, 'name' | 'kind' | 'file' | 'check'>,
    Partial<Pick<Sink, 'isLast' | 'label' | 'read' | 'ready' | 'temporaries'>> {
  prepare(unique: string): Promise<Pick<PreparedSink, 'deliver'> & Partial<Pick<PreparedSink, 'discard'>>>;
}

export function createSink(parts: SinkParts): Sink {
  const { name } = parts;
  const sink: Sink = {
    label: name,
    ready: `${name} can be written`,
    isReadable: parts.read !== undefined,
    isLast: false,
    temporaries: async () => [],
    read: async () => undefined,
    ...parts,
    async prepare(unique) {
      const { deliver, discard = async () => undefined } = await parts.prepare(unique);
      return {
        sink,
        discard,
        async deliver(secret) {
          try {
            await deliver(secret);
          } catch (error) {
            if (error instanceof OrgctlError && error.exit === 'not-delivered') throw error;
            throw createUndelivered(name, toReason(error), error);
          }
        },
      };
    },
  };
  return sink;
}

/** `reason`: why the sink of this name did not get the secret. */
export function createUndelivered(name: string, reason: string, cause?: unknown): OrgctlError {
  return new OrgctlError('not-delivered', `not delivered to ${shortenName(name)}`, { reasons: [reason], cause });
}

/** A part of a place for this organization and team. */
export function fillPlace(
  text: string,
  { organization, team }: Pick<SinkSurroundings, 'organization' | 'team'>,
): string {
  // Filled in at once: what stands for one is not looked through for the other.
  return text.replace(/\{(?:org|team)\}/g, (mark) => (mark === ORGANIZATION_MARK ? organization : team) ?? mark);
}

const MOST_NAMED = 60;

/** The name of a place as sentences have it: a command line may be long. Never cut within a word, which may be a secret. */
export function shortenName(name: string): string {
  const [first = '', ...more] = wrap(name, MOST_NAMED);
  return more.length === 0 ? first : `${first} …`;
}

export interface SinkSurroundings
  extends Surroundings,
    Screen,
    Pick<Host, 'user' | 'isStdoutDiscarded' | 'randomBytes'> {
  /** What `{org}` stands for in a place; nothing where it is left out. */
  readonly organization?: string;
  /** The same for `{team}`. */
  readonly team?: string;
  warn(text: string): void;
  /** Resolves when stdout has taken the text; rejects when it has not. */
  writeStdout(text: string): Promise<void>;
  writeStderr(text: string): Promise<void>;
  /** What the sink `stdout` prints for a secret, its newline included. */
  toStdoutText(secret: string): string;
}
