import { createHash } from 'node:crypto';
import { OrgctlError, toFault } from '../errors.ts';
import { type OpenFile, openFile } from '../files/file-pieces.ts';
import type { FileBody } from '../service/http.ts';
import type { PrivateRegistry } from '../service/private-registry.ts';
import { formatSize } from '../text/size.ts';
import type { ReleaseFile } from './release.ts';

/** One file brought to the service, and what it says of it asked where that is not clear. */

export interface Upload {
  readonly file: ReleaseFile;
  /** Where it goes; undefined where that has to be asked, and in a dry run. */
  readonly link: string | undefined;
  /** Whether the service has it by now, and if not where it goes. */
  look(): Promise<{ readonly isThere: boolean; readonly link: string | undefined }>;
}

export interface UploadOptions {
  readonly uploads: PrivateRegistry['uploads'];
  readonly organization: string;
  readonly dryRun: boolean;
  /** Bytes that were sent; fewer than before where it begins again. */
  onSent(bytes: number): void;
  pause(): Promise<void>;
}

/** Whether bytes were sent for it. Throws OrgctlError where the service has no such file in the end. */
export async function uploadFile(upload: Upload, options: UploadOptions): Promise<boolean> {
  const { file } = upload;
  const put = (link: string | undefined): Promise<boolean> => {
    const effect = `upload ${file.name} (${formatSize(file.size)})`;
    const { organization } = options;
    return options.uploads.put(link, { name: file.name, effect, organization }, toBody(file, options.onSent));
  };
  if (options.dryRun) return await put(upload.link);
  const first = upload.link ?? (await findLink(upload));
  if (first === undefined) return false;
  try {
    return await put(first);
  } catch (error) {
    refuseLooking(error);
    await options.pause();
  }
  const second = await findLink(upload);
  if (second === undefined) return true;
  try {
    return await put(second);
  } catch (error) {
    refuseLooking(error);
    if ((await upload.look()).isThere) return true;
    throw error;
  }
}

/** There is nothing to look for where the run was stopped, or where the file is not the one that was checked. */
function refuseLooking(error: unknown): void {
  if (!(error instanceof OrgctlError) || error.exit !== 'unavailable') throw error;
}

/** Undefined where the file is there. */
async function findLink({ file, look }: Upload): Promise<string | undefined> {
  const { isThere, link } = await look();
  if (isThere) return undefined;
  if (link !== undefined) return link;
  throw new OrgctlError('unavailable', `the service gives no address to upload ${file.name} to`, {
    code: 'upload',
    hint: 'Delete the version and publish it again, if this goes on.',
  });
}

/** The file as it was checked: its last piece is held back until the sum of all of it is right. */
function toBody(file: ReleaseFile, onSent: (bytes: number) => void): FileBody {
  return {
    size: file.size,
    async *pieces() {
      const open = await openFile(file.path).catch((error: unknown) => {
        throw toChanged(file, toFault(error));
      });
      try {
        yield* readChecked(open, file, onSent);
      } finally {
        await open.close();
      }
    },
  };
}

async function* readChecked(
  open: OpenFile,
  file: ReleaseFile,
  onSent: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let sent = 0;
  let read = 0;
  let held: Buffer | undefined;
  onSent(0);
  for await (const piece of open.pieces()) {
    read += piece.length;
    if (read > file.size) break;
    hash.update(piece);
    if (held !== undefined) {
      yield held;
      sent += held.length;
      onSent(sent);
    }
    held = piece;
  }
  if (read !== file.size || hash.digest('hex') !== file.sum) throw toChanged(file, 'its bytes are others');
  if (held !== undefined) yield held;
  onSent(file.size);
}

function toChanged({ name }: ReleaseFile, why: string): OrgctlError {
  return new OrgctlError('failure', `${name} changed after it was checked: ${why}`, {
    code: 'release-changed',
    hint: 'Let nothing write to the folder meanwhile, and run the same command again.',
  });
}
