import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../context/context.ts';
import { toErrorCode, UsageError } from '../../errors.ts';
import { createJournal } from '../../rotation/journal.ts';
import { listRecoveryFiles } from '../../rotation/recovery.ts';
import { attention, type Finding, ok, orFailed } from './finding.ts';

const CHECK = 'rotations';

/** What rotations of any organization left: a run that has not ended, a secret that was not delivered. */
export function examineRotations(context: Context): readonly Finding[] {
  const { places } = context;
  return orFailed(CHECK, () => {
    const root = places.stateDirectory();
    const found = listFolders(root).flatMap((origin) =>
      listFolders(join(root, origin)).flatMap((organization) =>
        examineFolder(context, join(root, origin, organization), decode(organization), decode(origin)),
      ),
    );
    return found.length === 0 ? [ok(CHECK, 'none has left anything')] : found;
  });
}

function examineFolder({ places }: Context, folder: string, organization: string, origin: string): readonly Finding[] {
  const of = `${organization} at ${origin}`;
  try {
    const { open } = createJournal(folder, { unique: places.uniqueName(), user: places.host.user }).read();
    const files = listRecoveryFiles(folder).filter(({ path }) => path !== open?.recovery);
    return [
      ...(open === undefined
        ? []
        : [
            attention(
              CHECK,
              `the rotation of ${of} begun at ${open.startedAt} has not ended (${open.phase})`,
              'If it does not run any more: rotate again, with the same --to; that ends what this one left.',
            ),
          ]),
      ...files.map(({ path, holdsSecret }) =>
        holdsSecret
          ? attention(
              CHECK,
              `${path} keeps a token of ${of} that was not delivered`,
              'Bring its first line to where it belongs, or rotate again; then remove the file.',
            )
          : attention(
              CHECK,
              `${path} is empty: a run for ${of} that was killed left it, or one is at work now`,
              'The next rotate or generate removes it.',
            ),
      ),
    ];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [attention(CHECK, [error.message, ...error.reasons].join('; '), error.hint ?? `Look into ${folder}.`)];
  }
}

/** None where there is no such folder. */
function listFolders(folder: string): readonly string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = toErrorCode(error) || 'unknown error';
    if (['ENOENT', 'ENOTDIR'].includes(code)) return [];
    throw new UsageError(`${folder} cannot be searched (${code})`, { hint: 'Check who owns it.', cause: error });
  }
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Folders are named by what they are for, percent-encoded. */
function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
