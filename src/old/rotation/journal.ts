import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { toReason, UsageError } from '../errors.ts';
import { makeFolder } from '../files/durable-file.ts';
import { HAS_PERMISSIONS, isWritableByOthers } from '../files/permissions.ts';
import type { LockPlace } from '../files/process-lock.ts';
import { decode, MEBIBYTE, type ReadFile, readFileIfAny } from '../files/read-file.ts';
import { isTemporaryPath, removeLeftovers, replaceFile } from '../files/replace-file.ts';
import { isObject, parseJsonText } from '../json-object.ts';

/** What the rotations of one organization did and may have left. Holds no secret. */
export interface JournalState {
  /** The run that has not ended, or was killed. */
  readonly open?: OpenRotation;
  /** The token created last from here, unless it was deleted or replaced from here since. */
  readonly last?: DeliveredToken;
  /** Whether the service shows the metadata of its token, as far as a run from here could prove. */
  readonly metadata?: boolean;
  /** Old tokens that are to be deleted, since their new one works. Only of tokens that stand beside others. */
  readonly retiring?: readonly RetiringToken[];
  /** Of the secret that asked for the deletion of its own token: who uses it still can be shown where the next one is. */
  readonly self?: string;
  /** Which token these rotations are of; left out for the audit trail token. */
  readonly token?: JournalToken;
}

export interface JournalToken {
  readonly kind: string;
  readonly team?: string;
  readonly description?: string;
}

export interface RetiringToken {
  readonly id: string;
  readonly description?: string;
  /** UTC text: not before. */
  readonly from: string;
  /** Its deletion was sent: from then on it may be gone by it. */
  readonly begun?: true;
  /** A killed run made it, and no one has its secret. */
  readonly lost?: true;
  /** The service rejects its secret, so no one can use it. */
  readonly refused?: true;
}

/** Its members, and the phases, have the names of earlier versions: they are stored. */
export interface OpenRotation {
  readonly run: string;
  readonly startedAt: string;
  readonly phase: 'preflight' | 'minting' | 'unknown' | 'minted';
  /** UTC text: when the last POST left. */
  readonly mintingSince?: string;
  readonly posts: number;
  /** Absolute path, in the journal's folder. Kept as a name, for the folder may be mounted elsewhere next time. */
  readonly recovery: string;
  /** Recovery files of runs before it whose secrets are unverified: one may be the current token's. Like `recovery`. */
  readonly doubtful?: readonly string[];
  /** The secret is lost of a token that a run before it may have created. */
  readonly lost?: true;
  /** Absolute paths of the temporary files of sinks. */
  readonly temporaries: readonly string[];
  /** The service's token before. Null: there was none. Absent: it could not be read. */
  readonly before?: TokenFacts | null;
  readonly minted?: TokenFacts & { readonly fingerprint: string };
  /** The whole description of the new token, where it stands beside others. */
  readonly description?: string;
  /** Milliseconds that the old token stays, as this run was asked. */
  readonly keepOld?: number;
  /** The new token is in its places and works: what is left is to delete the old one. */
  readonly proven?: DeliveredToken;
  /** Sinks that failed, as in `DeliveredToken`. */
  readonly undelivered?: readonly string[];
}

/** Times are the service's own words. */
export interface TokenFacts {
  readonly id: string;
  readonly createdAt?: string;
  /** Null: never. */
  readonly expiredAt?: string | null;
  readonly createdBy?: string;
  readonly description?: string;
}

export interface DeliveredToken extends TokenFacts {
  readonly fingerprint: string;
  readonly deliveredAt: string;
  /** Null: nothing could prove it either way. */
  readonly verified: boolean | null;
  /** Kind and path; `exec` without its command line, which may hold credentials. Empty where generate printed it. */
  readonly sinks: readonly string[];
}

export interface Journal {
  readonly path: string;
  /**
   * Empty where there is no file. What the file holds beyond JournalState is in the answer too, on every level, so that
   * a newer orgctl finds it again: write what was read, changed by spreading.
   *
   * Throws UsageError for a file that is damaged (code `damaged-journal`), that others may have written
   * (`unsafe-journal`), or that cannot be read. It is never overwritten then.
   */
  read(): JournalState;
  /**
   * On disk, as a whole, when it resolves. For the holder of the folder's lock only. Throws UsageError where it cannot
   * be written, and a plain Error for a state that could not be read again.
   */
  write(state: JournalState): Promise<void>;
}

export interface JournalOptions {
  readonly unique: string;
  readonly user: number | undefined;
  readonly token?: JournalToken;
}

export const RECOVERY_PREFIX = 'undelivered-token-';

const NAME = 'rotation.json';
const VERSION = 1;

export function createJournal(directory: string, { unique, user, token }: JournalOptions): Journal {
  const folder = resolve(directory);
  const path = resolve(folder, NAME);
  return {
    path,
    read() {
      const file = readJournal(path);
      if (file === undefined) return {};
      refuseOthers(path, file, user);
      return parseJournal(path, folder, file.bytes);
    },
    async write(state) {
      const text = renderJournal(folder, token === undefined ? state : { ...state, token });
      try {
        makeFolder(folder);
        removeLeftovers(path);
        replaceFile(path, text, unique);
      } catch (error) {
        throw new UsageError(`can't write ${path}, the journal of rotations`, {
          reasons: [toReason(error)],
          hint: 'Free some space, or set ORGCTL_STATE_DIR to a folder of yours.',
          cause: error,
        });
      }
    },
  };
}

function readJournal(path: string): ReadFile | undefined {
  try {
    return readFileIfAny(path, { most: MEBIBYTE, whose: 'own' });
  } catch (error) {
    throw new UsageError(`can't read ${path}, the journal of rotations`, {
      reasons: [toReason(error)],
      hint: 'Make it readable, or set ORGCTL_STATE_DIR to another folder. It was not changed.',
      cause: error,
    });
  }
}

/** The journal names files to remove, so no other user may write it. That others may read it does no harm. */
function refuseOthers(path: string, { status }: ReadFile, user: number | undefined): void {
  const isForeign = HAS_PERMISSIONS && user !== undefined && status.uid !== user;
  if (!isForeign && !isWritableByOthers(status.mode)) return;
  throw new UsageError(
    isForeign
      ? `${path}, the journal of rotations, belongs to another user, so it is not used`
      : `others can change ${path}, the journal of rotations, so it is not used`,
    {
      code: 'unsafe-journal',
      hint: 'Check what it says. If you trust it, make it yours alone.',
      next: [...(isForeign ? [['chown', `${user}`, path]] : []), ['chmod', '600', path]],
    },
  );
}

function parseJournal(path: string, folder: string, bytes: Uint8Array): JournalState {
  const value = parseJson(path, bytes);
  if (!isObject(value)) throw createDamaged(path, 'It is not a JSON object.');
  const { version, ...stored } = value;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    throw createDamaged(path, `'version' must be ${VERSION}.`);
  if (version > VERSION) {
    throw new UsageError(`${path}, the journal of rotations, was written by a newer orgctl`, {
      code: 'damaged-journal',
      hint: 'Use that orgctl, or a newer one. The file was not changed.',
    });
  }
  const state = withRecoveries(stored, (name, member) => {
    if (basename(name) !== name) throw createDamaged(path, `'open.${member}' must be the name of a file.`);
    return resolve(folder, name);
  });
  const fault = findFault(state, folder);
  if (fault !== undefined) throw createDamaged(path, `'${fault}' is missing, or is not what orgctl writes there.`);
  return state;
}

function parseJson(path: string, bytes: Uint8Array): unknown {
  try {
    return parseJsonText(decode(bytes));
  } catch {
    throw createDamaged(path, 'It is not valid JSON.');
  }
}

function createDamaged(path: string, reason: string): UsageError {
  return new UsageError(`${path}, the journal of rotations, is damaged`, {
    code: 'damaged-journal',
    reasons: [
      reason,
      `A file ${RECOVERY_PREFIX}… in the same folder may hold the only copy of the current token: keep it.`,
    ],
    hint: 'Check with audit-token show when the token was created, then repair the file or move it away. It was not changed.',
  });
}

function renderJournal(folder: string, state: JournalState): string {
  const fault = findFault(state, folder);
  if (fault !== undefined) throw new Error(`unfit for a journal: ${fault}`);
  return `${JSON.stringify({ ...withRecoveries(state, (path) => basename(path)), version: VERSION }, null, 2)}\n`;
}

/** The state with the paths of recovery files changed; what is no text stays as it is. */
function withRecoveries(
  state: Readonly<Record<string, unknown>> | JournalState,
  change: (text: string, member: string) => string,
) {
  const open: unknown = state.open;
  if (!isObject(open)) return state as JournalState;
  const { recovery, doubtful } = open;
  const changed = {
    ...open,
    ...(typeof recovery === 'string' ? { recovery: change(recovery, 'recovery') } : {}),
    ...(isTexts(doubtful) ? { doubtful: doubtful.map((text) => change(text, 'doubtful')) } : {}),
  };
  return { ...state, open: changed } as unknown as JournalState;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

type Check = (value: unknown) => boolean;
type Checks<Shape> = Readonly<Record<keyof Shape, Check>>;

const isText: Check = (value) => typeof value === 'string';
const isName: Check = (value) => typeof value === 'string' && value !== '';
const isInstant: Check = (value) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) &&
  !Number.isNaN(Date.parse(value));
const isFingerprint: Check = (value) => typeof value === 'string' && /^sha256:[0-9a-f]{16}$/.test(value);
const isSink: Check = (value) => typeof value === 'string' && value !== '' && !value.startsWith('exec:');
const isTrue: Check = (value) => value === true;
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTemporary: Check = (value) =>
  typeof value === 'string' && isAbsolute(value) && !value.includes('\0') && isTemporaryPath(value);

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const TOKEN: Checks<TokenFacts> = {
  id: isName,
  createdAt: optional(isText),
  expiredAt: optional(orNull(isText)),
  createdBy: optional(isText),
  description: optional(isText),
};

const RETIRING: Checks<RetiringToken> = {
  id: isName,
  description: optional(isText),
  from: isInstant,
  begun: optional(isTrue),
  lost: optional(isTrue),
  refused: optional(isTrue),
};

const WHICH: Checks<JournalToken> = { kind: isName, team: optional(isText), description: optional(isText) };

const DELIVERED: Checks<DeliveredToken> = {
  ...TOKEN,
  fingerprint: isFingerprint,
  deliveredAt: isInstant,
  verified: orNull((value) => typeof value === 'boolean'),
  sinks: listOf(isSink),
};

const OPEN: Checks<Omit<OpenRotation, 'recovery' | 'doubtful'>> = {
  run: isName,
  startedAt: isInstant,
  phase: (value) => ['preflight', 'minting', 'unknown', 'minted'].includes(value as string),
  mintingSince: optional(isInstant),
  posts: isCount,
  lost: optional(isTrue),
  temporaries: listOf(isTemporary),
  before: optional(orNull((value) => isTokenFacts(value))),
  minted: optional((value) => isObject(value) && isTokenFacts(value) && isFingerprint(value['fingerprint'])),
  undelivered: optional(listOf(isSink)),
  description: optional(isText),
  keepOld: optional(isCount),
  proven: optional((value) => findFaultOf('', value, DELIVERED) === undefined),
};

/** Members orgctl does not know are no fault. */
export function isTokenFacts(value: unknown): value is TokenFacts {
  return isObject(value) && findMember(value, TOKEN) === undefined;
}

/** The first member that is not as JournalState says, such as `open.phase`. */
function findFault(state: JournalState, folder: string): string | undefined {
  const isRecovery: Check = (value) =>
    typeof value === 'string' &&
    dirname(value) === folder &&
    basename(value).startsWith(RECOVERY_PREFIX) &&
    !value.includes('\0');
  const open = { ...OPEN, recovery: isRecovery, doubtful: optional(listOf(isRecovery)) };
  const isKnown = optional((value) => typeof value === 'boolean')(state.metadata);
  const isRetiring = optional(listOf((value) => isObject(value) && findMember(value, RETIRING) === undefined))(
    state.retiring,
  );
  return (
    findFaultOf('open', state.open, open) ??
    findFaultOf('last', state.last, DELIVERED) ??
    findFaultOf('token', state.token, WHICH) ??
    (isRetiring ? undefined : 'retiring') ??
    (optional(isFingerprint)(state.self) ? undefined : 'self') ??
    (isKnown ? undefined : 'metadata')
  );
}

function findFaultOf(name: string, value: unknown, checks: Readonly<Record<string, Check>>): string | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) return name;
  const member = findMember(value, checks);
  return member === undefined ? undefined : `${name}.${member}`;
}

function findMember(value: Readonly<Record<string, unknown>>, checks: Readonly<Record<string, Check>>) {
  return Object.keys(checks).find((member) => checks[member]?.(value[member]) !== true);
}

/** Whether it is there, and has not expired. */
export function isValid(token: TokenFacts | undefined, now: number): boolean {
  return token !== undefined && !(Date.parse(token.expiredAt ?? '') <= now);
}

/** `at-1 (ci 2026-11-22-k3x9)` */
export function toWords({ id, description }: Pick<RetiringToken, 'description' | 'id'>): string {
  return description === undefined || description === '' ? id : `${id} (${description})`;
}

export function isTimeUp({ from }: RetiringToken, now: number): boolean {
  return Date.parse(from) <= now;
}

/** Whether someone has its secret all the same. The trial of one that the service rejects is a use, too. */
export function isClaimed(
  { lost, refused }: Pick<RetiringToken, 'lost' | 'refused'>,
  { isUsed }: { readonly isUsed: boolean },
): boolean {
  return lost === true && refused !== true && isUsed;
}

/** One rotation at a time in a folder. */
export function toLockPlace(directory: string): LockPlace {
  return {
    path: resolve(directory, 'rotation'),
    what: 'a rotation',
    elsewhere: 'Set ORGCTL_STATE_DIR to a folder',
    yours: 'set ORGCTL_STATE_DIR to a folder of yours',
  };
}
