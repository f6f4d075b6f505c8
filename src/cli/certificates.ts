import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Settings } from '../config/resolve.ts';
import { UsageError } from '../lib/errors.ts';
import { readOptionalFile } from '../lib/files.ts';
import { readOwnFile } from '../lib/own-files.ts';

/** Reads the files of the settings. Throws UsageError for one that can't be used. */
export function readCertificates(
  { 'ca-file': caFile, 'client-cert': certFile, 'client-key': keyFile }: Settings,
  user: number | undefined,
) {
  if ((certFile.value === undefined) !== (keyFile.value === undefined)) {
    throw new UsageError('--client-cert and --client-key go together');
  }
  const readText = (path: string) => readOptionalFile(path, 'latin1');
  const parseCertificate = (text: string) => new X509Certificate(text);
  const ca = readPem('certificate', caFile, readText, parseCertificate);
  const cert = readPem('certificate', certFile, readText, parseCertificate);
  const key = readPem(
    'private key without a passphrase',
    keyFile,
    (path) => readOwnFile(path, user, 'key'),
    createPrivateKey,
  );
  if (cert && key && !cert.content.checkPrivateKey(key.content)) {
    throw new UsageError(`${keyFile.value} is not the key of ${certFile.value}`);
  }
  return { ca: ca?.text, clientCert: cert?.text, clientKey: key?.text };
}

function readPem<Content>(
  what: string,
  { value: path, source }: Settings['ca-file'],
  read: (path: string) => string | undefined,
  parse: (text: string) => Content,
): { text: string; content: Content } | undefined {
  if (path === undefined) return undefined;
  const text = read(path);
  const hint = `Its path comes from ${source}.`;
  if (text === undefined) throw new UsageError(`can't read ${path}: it doesn't exist`, { hint });
  try {
    return { text, content: parse(text) };
  } catch (error) {
    throw new UsageError(`${path} has no ${what} in PEM form`, { hint, cause: error });
  }
}
