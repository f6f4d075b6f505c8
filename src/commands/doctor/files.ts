import { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Context } from '../../context/context.ts';
import { toErrorCode } from '../../errors.ts';
import { attention, type Finding, failed, ok, orFailed } from './finding.ts';

const CHECK = 'files';

/** Whether what orgctl keeps is its owner's alone. */
export function examineFiles({ places }: Context): readonly Finding[] {
  const { host, store } = places;
  if (host.platform === 'win32') return [ok(CHECK, 'who may read them is up to their folder on this system')];
  return orFailed(CHECK, () => {
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
    return [ok(CHECK, judged.length === 0 ? 'none is kept yet' : 'settings and state are yours alone')];
  });
}

/** Undefined where there is nothing. */
function judge(path: string, forbidden: number, wanted: string, isSecret = false): Finding | 'good' | undefined {
  let found: Stats;
  try {
    found = statSync(path);
  } catch (error) {
    const code = toErrorCode(error) || 'unknown error';
    if (['ENOENT', 'ENOTDIR'].includes(code)) return undefined;
    return failed(CHECK, 'usage', `${path} cannot be looked at (${code})`, 'Check who owns it.');
  }
  if ((found.mode & forbidden) === 0) return 'good';
  const mode = (found.mode & 0o777).toString(8);
  const detail = `${path} has mode ${mode}, so that others may ${(found.mode & 0o022) === 0 ? 'read' : 'change'} it`;
  const fix = ['chmod', wanted, path];
  return isSecret
    ? failed(CHECK, 'usage', `${detail}; its secrets are not used`, '', fix)
    : attention(CHECK, detail, '', fix);
}
