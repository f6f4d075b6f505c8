import { dirname, resolve } from 'node:path';
import { toErrorCode, toReason, UsageError } from '../errors.ts';
import { createPrivateFile, fillPrivateFile, makeFolder, removeDurably, removeQuietly } from '../files/durable-file.ts';
import { isThere, listFolder } from '../files/look.ts';
import { isOpenToOthers } from '../files/permissions.ts';
import { MEBIBYTE, type ReadFile, type Reading, readFileIfAny } from '../files/read-file.ts';
import { isObject, parseJsonText } from '../json-object.ts';
import { toFingerprint } from '../secrets/fingerprint.ts';
import { isTokenFacts, RECOVERY_PREFIX, type TokenFacts } from './journal.ts';

/**
 * A file that keeps a new secret until it is delivered. Made before the request, so that a full disk or a folder without
 * permission is found while the old token still works.
 */
export interface RecoveryFile {
  readonly path: string;
  /**
   * On disk when this resolves. The secret is the first line, or all there is without facts. Throws what the file system
   * says.
   */
  keep(secret: string, facts?: TokenOrigin): Promise<void>;
  /** Writes it again where the file or its folder is gone, or the first time failed. Throws what the file system says. */
  restore(secret: string, facts?: TokenOrigin): Promise<void>;
  /**
   * Removes the file. It is not overwritten before: file systems and flash memory keep the old blocks anyway, and a reader
   * of those could read the file too.
   */
  discard(): Promise<void>;
}

export interface TokenOrigin extends TokenFacts {
  readonly organization: string;
  readonly origin: string;
}

export interface KeptSecret {
  readonly secret: string;
  /** Undefined where the secret was kept without them: then nothing proves that it is whole. */
  readonly facts: (TokenOrigin & { readonly fingerprint: string }) | undefined;
}

export interface FoundRecoveryFile {
  readonly path: string;
  /**
   * False where it is empty: a killed run left it, or a run waits for its token right now. True also where it cannot be
   * read.
   */
  readonly holdsSecret: boolean;
}

// Longer than any token and its facts, for which it reserves room.
const RESERVED_BYTES = 4_096;
const OWN: Reading = { most: MEBIBYTE, whose: 'own' };

export function toRecoveryPath(directory: string, unique: string): string {
  return resolve(directory, `${RECOVERY_PREFIX}${unique}`);
}

/** Throws UsageError where the file cannot be made. Readable by its owner alone from the first moment. */
export async function createRecoveryFile(directory: string, unique: string): Promise<RecoveryFile> {
  const path = toRecoveryPath(directory, unique);
  try {
    makeFolder(dirname(path));
    // A file that is there already may hold a secret: it stays.
    createPrivateFile(path, new Uint8Array(RESERVED_BYTES));
  } catch (error) {
    throw new UsageError(`can't write ${path}, which keeps the new token until it is delivered`, {
      reasons: [toReason(error)],
      hint: 'Free some space, or set ORGCTL_STATE_DIR to a folder of yours. Nothing was sent.',
      cause: error,
    });
  }
  return openRecoveryFile(path);
}

/** One that an earlier run made. `path` is absolute. */
export function openRecoveryFile(path: string): RecoveryFile {
  const keep: RecoveryFile['keep'] = async (secret, facts) => {
    fillPrivateFile(path, Buffer.from(facts === undefined ? secret : renderContent(secret, facts)));
  };
  return {
    path,
    keep,
    async restore(secret, facts) {
      if (isKept(path, secret)) return;
      makeFolder(dirname(path));
      if (!isThere(path)) createPrivateFile(path, '');
      await keep(secret, facts);
    },
    async discard() {
      removeDurably(path);
    },
  };
}

/**
 * What a recovery file holds; undefined where it is gone or empty. Throws UsageError where the secret in it is not whole
 * (code `damaged-recovery-file`), and where others may have read it, so that no such secret is delivered.
 */
export function readRecoveryFile(path: string): KeptSecret | undefined {
  let file: ReadFile | undefined;
  try {
    file = readFileIfAny(path, OWN);
  } catch (error) {
    throw new UsageError(`can't read the recovery file ${path}`, {
      reasons: [toReason(error)],
      hint: 'It may hold the only copy of a token: check before you remove it. It was not changed.',
      cause: error,
    });
  }
  if (file === undefined) return undefined;
  if (isOpenToOthers(file.status.mode)) {
    throw new UsageError(`others can read the recovery file ${path}, so its secret is not used`, {
      hint: 'Make it readable by you alone. If others may have seen it, create another token afterwards.',
      next: [['chmod', '600', path]],
    });
  }
  return parseContent(path, file.bytes);
}

/** Those in a folder, by name. None where there is no folder. Throws UsageError where it cannot be listed. */
export function listRecoveryFiles(directory: string): readonly FoundRecoveryFile[] {
  const folder = resolve(directory);
  let names: string[];
  try {
    names = listFolder(folder).map(({ name }) => name);
  } catch (error) {
    if (toErrorCode(error) === 'ENOENT') return [];
    throw new UsageError(`can't search ${folder} for recovery files`, {
      reasons: [toReason(error)],
      hint: 'Make it readable, or set ORGCTL_STATE_DIR to a folder of yours.',
      cause: error,
    });
  }
  return names
    .filter((name) => name.startsWith(RECOVERY_PREFIX))
    .sort()
    .map((name) => resolve(folder, name))
    .map((path) => ({ path, holdsSecret: mayHoldSecret(path) }));
}

/** For the holder of the lock only: then files without a secret are those of killed runs. */
export function removeEmptyRecoveryFiles(directory: string): void {
  let found: readonly FoundRecoveryFile[];
  try {
    found = listRecoveryFiles(directory);
  } catch {
    // They do no harm.
    return;
  }
  for (const { path, holdsSecret } of found) if (!holdsSecret) removeQuietly(path);
}

function isKept(path: string, secret: string): boolean {
  try {
    return readRecoveryFile(path)?.secret === secret;
  } catch {
    return false;
  }
}

function mayHoldSecret(path: string): boolean {
  try {
    return readFileIfAny(path, OWN)?.bytes.some((byte) => byte !== 0) ?? false;
  } catch {
    return true;
  }
}

function renderContent(secret: string, facts: TokenOrigin): string {
  return `${secret}\n${JSON.stringify({ ...facts, fingerprint: toFingerprint(secret) })}\n`;
}

function parseContent(path: string, bytes: Uint8Array): KeptSecret | undefined {
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  if (end === 0) return undefined;
  const text = decode(bytes.subarray(0, end));
  // Without facts, only the length, which is set after the secret, proves that all of it was written.
  if (text === undefined || text.includes('\0')) throw createDamaged(path);
  const lines = text.replace(/\n$/, '');
  const at = lines.lastIndexOf('\n');
  if (at < 0 || lines[at + 1] !== '{') {
    if (end < bytes.length) throw createDamaged(path);
    return { secret: lines, facts: undefined };
  }
  const secret = lines.slice(0, at);
  const facts = parseFacts(lines.slice(at + 1));
  if (facts === undefined || facts.fingerprint !== toFingerprint(secret)) throw createDamaged(path);
  return { secret, facts };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parseFacts(text: string): KeptSecret['facts'] {
  let value: unknown;
  try {
    value = parseJsonText(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || !isTokenFacts(value)) return undefined;
  const { organization, origin, fingerprint } = value;
  const isWhole = typeof organization === 'string' && typeof origin === 'string' && typeof fingerprint === 'string';
  return isWhole ? { ...value, organization, origin, fingerprint } : undefined;
}

function createDamaged(path: string): UsageError {
  return new UsageError(`the secret in the recovery file ${path} is not complete`, {
    code: 'damaged-recovery-file',
    reasons: ['It was cut short while it was written, or changed since.'],
    hint: 'Check it before you remove it: the first line is the secret, as far as it goes.',
  });
}
