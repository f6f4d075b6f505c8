import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Settings } from '../config/resolve.ts';
import { formatReason, UsageError } from '../lib/errors.ts';
import { readInputBytes } from '../lib/input.ts';
import { decodeTextOrBytes } from '../lib/input-text.ts';
import { assertPrivateKey } from '../lib/own-files.ts';

/** Reads the files of the settings. Throws UsageError for one that can't be used, and the signal's reason. */
export async function readCertificates(settings: Settings, user: number | undefined, signal: AbortSignal) {
  const { 'ca-file': caFile, 'client-cert': certFile, 'client-key': keyFile } = settings;
  if ((certFile.value === undefined) !== (keyFile.value === undefined)) {
    throw new UsageError('--client-cert and --client-key go together');
  }
  if (keyFile.value !== undefined) assertPrivateKey(keyFile.value, user);
  const read = async ({ value: path, source }: Settings['ca-file']): Promise<string | undefined> => {
    if (path === undefined) return undefined;
    return decodeTextOrBytes(await readInputBytes(path, '', signal, `Its path comes from ${source}.`));
  };
  const [ca, clientCert, clientKey] = [await read(caFile), await read(certFile), await read(keyFile)];
  try {
    if (ca !== undefined) new X509Certificate(ca);
    if (clientCert !== undefined && clientKey !== undefined) {
      const isPair = new X509Certificate(clientCert).checkPrivateKey(createPrivateKey(clientKey));
      if (!isPair) throw new Error('the key is of another certificate');
    }
  } catch (error) {
    const paths = [caFile, certFile, keyFile].flatMap(({ value }) => value ?? []);
    throw new UsageError(`not usable as PEM: ${paths.join(', ')}: ${formatReason(error)}`, { cause: error });
  }
  return { ca, clientCert, clientKey };
}
