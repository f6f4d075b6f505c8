import { createHash } from 'node:crypto';
import type { Client } from '../api/client.ts';
import type { FileBody } from '../api/http.ts';
import { uploadFile } from '../api/provider-uploads.ts';
import type { RemoteFile } from '../api/provider-versions.ts';
import { formatReason, OrgctlError } from '../lib/errors.ts';
import { readChunks } from '../lib/input.ts';
import type { ReleaseFile } from './release.ts';

interface Upload {
  org: string;
  file: ReleaseFile;
  find(): Promise<RemoteFile | undefined>;
}

/** Sends nothing if the service has the file. */
export async function sendFile(client: Client, { org, file, find }: Upload): Promise<void> {
  const { hasFile = false, upload: link = '' } = (await find()) ?? {};
  if (hasFile) return;
  const body: FileBody = { size: file.size, open: () => readChecked(file) };
  await uploadFile(client, { org, link, name: file.name }, body, async () => (await find())?.hasFile === true);
}

/** Holds back the last chunk until the sum is right, so that a changed file never arrives complete. */
async function* readChecked(file: ReleaseFile): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let size = 0;
  let held: Uint8Array | undefined;
  try {
    for await (const piece of readChunks(file.path)) {
      size += piece.length;
      if (size > file.size) break;
      hash.update(piece);
      if (held) yield held;
      held = piece;
    }
  } catch (error) {
    throw createChangedError(file, formatReason(error));
  }
  if (size !== file.size || hash.digest('hex') !== file.sum) throw createChangedError(file, 'its sum is different');
  if (held) yield held;
}

function createChangedError({ name }: ReleaseFile, why: string): OrgctlError {
  return new OrgctlError('failure', `${name} changed after it was checked: ${why}`, { code: 'release-changed' });
}
