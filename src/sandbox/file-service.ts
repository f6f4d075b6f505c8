import { statSync } from 'node:fs';
import type { Links, LinkTarget } from './links.ts';
import { findReleaseFile, hasRelease, insertReleaseFile } from './queries/releases.ts';
import type { ReleaseFiles } from './release-files.ts';
import type { Store } from './rows.ts';
import { isFull, isUnstorable } from './store.ts';

export interface FileRequest {
  readonly method: string;
  readonly path: string;
  /** The header as the client sent it. */
  readonly authorization: string | undefined;
}

export interface Refusal {
  readonly status: number;
  readonly detail?: string;
}

interface FileOnDisk {
  readonly path: string;
  readonly size: number;
}

interface Options {
  readonly store: Store;
  readonly links: Links;
  readonly files: ReleaseFiles;
  now(): number;
  log(line: string): void;
}

/**
 * Takes and gives the files of releases, by links instead of tokens, without looking into them. Assumed: the store of
 * files answers 400 to a link that comes with a token, 403 to a link that is not valid, 404 for a file whose version
 * was deleted, 409 to a second upload by the same link, and 507 when it is full; the document names 200 alone.
 */
export function createFileService({ store, links, files, now, log }: Options) {
  const readTarget = (request: FileRequest, purpose: LinkTarget['purpose']): LinkTarget | Refusal => {
    if (request.authorization !== undefined) {
      log(
        `a token came with ${request.method} to the address of a file, which needs none: such addresses are not the service's own`,
      );
      return { status: 400, detail: 'The link is enough: leave the Authorization header out' };
    }
    const target = links.read(request.path, now());
    return target?.purpose === purpose ? target : { status: 403, detail: 'The link is not valid, or has expired' };
  };
  const findFlaw = ({ owner, part }: LinkTarget): Refusal | undefined => {
    if (!hasRelease(store, owner)) return { status: 404, detail: 'What the file is for was deleted' };
    const isThere = findReleaseFile(store, owner, part) !== undefined;
    return isThere ? { status: 409, detail: 'The file has been uploaded already' } : undefined;
  };
  const keep = (target: LinkTarget, file: string): Refusal | undefined =>
    store.write(() => {
      // Another upload by the same link may have ended first.
      const refusal = findFlaw(target);
      if (refusal === undefined) insertReleaseFile(store, target.owner, target.part, file);
      return refusal;
    });
  return {
    /** Undefined once the file is kept. Rejects where `source` breaks off, and leaves nothing of the file. */
    async receive(request: FileRequest, source: AsyncIterable<Uint8Array>): Promise<Refusal | undefined> {
      const target = readTarget(request, 'upload');
      if ('status' in target) return target;
      const refusal = store.read(() => findFlaw(target));
      if (refusal !== undefined) return refusal;
      try {
        const file = await files.write(source, now());
        const late = keep(target, file);
        if (late !== undefined) files.remove(file);
        return late;
      } catch (error) {
        if (!isFull(error) && !isUnstorable(error)) throw error;
        return { status: 507, detail: `The sandbox cannot store the file: ${error.message}` };
      }
    },
    find(request: FileRequest): FileOnDisk | Refusal {
      const target = readTarget(request, 'download');
      if ('status' in target) return target;
      const file = store.read(() => findReleaseFile(store, target.owner, target.part));
      const size = file === undefined ? undefined : statSync(files.toPath(file), { throwIfNoEntry: false })?.size;
      if (file === undefined || size === undefined) return { status: 404 };
      return { path: files.toPath(file), size };
    },
  };
}
