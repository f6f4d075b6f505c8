import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Context } from '../../context/context.ts';
import { toErrorCode, UsageError } from '../../errors.ts';
import { createJournal } from '../../rotation/journal.ts';
import { listRecoveryFiles } from '../../rotation/recovery.ts';
import { attention, type Finding, failed, ok, orFailed } from './finding.ts';

/** Whether what orgctl keeps is its owner's alone. */
export function examineFiles({ places }: Context): readonly Finding[] | Finding {
  const { host, store } = places;
  if (host.platform === 'win32') return [ok('files', 'who may read them is up to their folder on this system')];
  return orFailed('files', () => {
    const config = store.hasFolder
      ? [
          judge(dirname(store.configPath), 0o077, '700'),
          // Without secrets, but it decides where the token goes.
          judge(store.configPath, 0o022, '600'),
          judge(store.credentialsPath, 0o077, '600', true),
        ]
      : [];
    const judged = [...config, judge(places.stateDirectory(), 0o077, '700')].filter((each) => each !== undefined);
    const bad = judged.flatMap((each) => (each === 'good' ? [] : [each]));
    if (bad.length > 0) return bad;
    return [ok('files', judged.length === 0 ? 'none is kept yet' : 'settings and state are yours alone')];
  });
}

function judge(path: string, forbidden: number, wanted: string, isSecret = false): Finding | 'good' | undefined {
  let found: Stats;
  try {
    found = statSync(path);
  } catch (error) {
    const code = toErrorCode(error) || 'unknown error';
    if (['ENOENT', 'ENOTDIR'].includes(code)) return undefined;
    return failed('files', 'usage', `${path} cannot be looked at (${code})`, 'Check who owns it.');
  }
  if ((found.mode & forbidden) === 0) return 'good';
  const mode = (found.mode & 0o777).toString(8);
  const detail = `${path} has mode ${mode}, so that others may ${(found.mode & 0o022) === 0 ? 'read' : 'change'} it`;
  const fix = ['chmod', wanted, path];
  return isSecret
    ? failed('files', 'usage', `${detail}; its secrets are not used`, '', fix)
    : attention('files', detail, '', fix);
}

/** What rotations of any organization left: a run that has not ended, a secret that was not delivered. */
export function examineRotations(context: Context): readonly Finding[] | Finding {
  const { places } = context;
  return orFailed('rotations', () => {
    const root = places.stateDirectory();
    const found = listFolders(root).flatMap((origin) =>
      listFolders(join(root, origin)).flatMap((organization) =>
        examineFolder(context, join(root, origin, organization), decode(organization), decode(origin)),
      ),
    );
    return found.length === 0 ? [ok('rotations', 'none has left anything')] : found;
  });
}

function examineFolder({ places }: Context, folder: string, organization: string, origin: string): readonly Finding[] {
  const of = `${organization} at ${origin}`;
  try {
    const { open } = createJournal(folder, { unique: places.uniqueName(), user: places.host.user }).read();
    const files = listRecoveryFiles(folder).filter(({ path }) => path !== open?.recovery);
    const found = files.map(({ path, holdsSecret }) =>
      holdsSecret
        ? attention(
            'rotations',
            `${path} keeps a token of ${of} that was not delivered`,
            'Bring its first line to where it belongs, or rotate again; then remove the file.',
          )
        : attention(
            'rotations',
            `${path} is empty: a run for ${of} that was killed left it, or one is at work now`,
            'The next rotate or generate removes it.',
          ),
    );
    if (open === undefined) return found;
    const detail = `the rotation of ${of} begun at ${open.startedAt} has not ended (${open.phase})`;
    const fix = 'If it does not run any more: rotate again, with the same --to; that ends what this one left.';
    return [attention('rotations', detail, fix), ...found];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [attention('rotations', [error.message, ...error.reasons].join('; '), error.hint ?? `Look into ${folder}.`)];
  }
}

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
