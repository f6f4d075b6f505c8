import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Settings } from '../config/resolve.ts';
import { UsageError } from '../lib/errors.ts';
import { readInputBytes } from '../lib/input.ts';
import { assertPrivateKey } from '../lib/own-files.ts';

type Path = Settings['ca-file'];

/** Reads the files of the settings. Throws UsageError for one that can't be used, and the signal's reason. */
export async function readCertificates(settings: Settings, user: number | undefined, signal: AbortSignal) {
  const { 'ca-file': caFile, 'client-cert': certFile, 'client-key': keyFile } = settings;
  if ((certFile.value === undefined) !== (keyFile.value === undefined)) {
    throw new UsageError('--client-cert and --client-key go together');
  }
  if (keyFile.value !== undefined) assertPrivateKey(keyFile.value, user);
  const parseCertificate = (text: string) => new X509Certificate(text);
  const ca = await readPem('certificate', caFile, parseCertificate, signal);
  const cert = await readPem('certificate', certFile, parseCertificate, signal);
  const key = await readPem('private key without a passphrase', keyFile, createPrivateKey, signal);
  if (cert && key && !cert.content.checkPrivateKey(key.content)) {
    throw new UsageError(`${keyFile.value} is not the key of ${certFile.value}`);
  }
  return { ca: ca?.text, clientCert: cert?.text, clientKey: key?.text };
}

async function readPem<Content>(
  what: string,
  { value: path, source }: Path,
  parse: (text: string) => Content,
  signal: AbortSignal,
): Promise<{ text: string; content: Content } | undefined> {
  if (path === undefined) return undefined;
  const hint = `Its path comes from ${source}.`;
  const text = Buffer.from(await readInputBytes(path, '', signal, hint)).toString('latin1');
  try {
    return { text, content: parse(text) };
  } catch (error) {
    throw new UsageError(`${path} has no ${what} in PEM form`, { hint, cause: error });
  }
}
