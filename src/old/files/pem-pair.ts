import { toReason, UsageError } from '../errors.ts';
import { isOpenToOthers } from './permissions.ts';
import { createUnreadable, MEBIBYTE, type ReadFile, readFile } from './read-file.ts';

/** A certificate and its key, in PEM form. */
interface PemPair {
  readonly cert: string;
  readonly key: string;
}

/** A file, and the option that names it. */
interface Named {
  readonly path: string | undefined;
  readonly option: string;
}

/**
 * Undefined where neither is named. `isPrivate`: a key that others can read is refused. Throws UsageError for what is missing,
 * and for a pair that can't be used.
 */
export async function readPemPair(
  cert: Named,
  key: Named,
  { isPrivate = false, both = `Give both, ${cert.option} and ${key.option}.` } = {},
): Promise<PemPair | undefined> {
  if (cert.path === undefined && key.path === undefined) return undefined;
  if (cert.path === undefined || key.path === undefined) {
    const missing = cert.path === undefined ? cert.option : key.option;
    throw new UsageError(`${missing} is missing`, { hint: both });
  }
  const certFile = readPem(cert.path, cert.option);
  const keyFile = readPem(key.path, key.option);
  if (isPrivate && keyFile.status.isFile() && isOpenToOthers(keyFile.status.mode)) {
    throw new UsageError(`others can read ${key.path}, so the key is not used`, {
      hint: 'Make it readable by you alone.',
      next: [['chmod', '600', key.path]],
    });
  }
  const pair = { cert: certFile.bytes.toString('utf8'), key: keyFile.bytes.toString('utf8') };
  const { createSecureContext } = await import('node:tls');
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new UsageError(`can't use the certificate ${cert.path} with the key ${key.path}`, {
      reasons: [toReason(error)],
      hint: 'Both must be in PEM form, the key its own and without a passphrase.',
      cause: error,
    });
  }
  return pair;
}

function readPem(path: string, option: string): ReadFile {
  try {
    return readFile(path, { most: MEBIBYTE });
  } catch (error) {
    throw createUnreadable(path, error, `Check the path given with ${option}.`);
  }
}
