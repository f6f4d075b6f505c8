import { dirname, isAbsolute } from 'node:path';
import type { Context } from '../../context/context.ts';
import { OrgctlError, toFault, UsageError } from '../../errors.ts';
import { checkWritable, findMode } from '../../files/look.ts';
import { describeTokenReference, type TokenReference } from '../../input/token-reference.ts';
import { isSignal } from '../../interrupts.ts';
import {
  createJournal,
  isTimeUp,
  type JournalToken,
  type OpenRotation,
  type RetiringToken,
  toWords,
} from '../../rotation/journal.ts';
import { listRecoveryFiles } from '../../rotation/recovery.ts';
import { listOrganizationFolders, listServiceFolders } from '../../settings/directories.ts';
import { toFullTime, toUtc } from '../../text/time.ts';
import { nameKept } from '../../tokens/which-token.ts';
import { attention, type Finding, failed, ok, orFailed, toDetail } from './finding.ts';

/** Whether what orgctl keeps is its owner's alone. */
export function examineFiles({ places }: Context): readonly Finding[] | Finding {
  const { host, store } = places;
  if (host.platform === 'win32') return [ok('files', 'who can read them depends on their folder on this system')];
  return orFailed('files', () => {
    const config = store.hasFolder
      ? [
          judge(dirname(store.configPath), 0o077, '700'),
          // Without secrets, but it decides where the token goes.
          judge(store.configPath, 0o022, '600'),
          judge(store.credentialsPath, 0o077, '600', true),
        ]
      : [];
    const state = places.stateDirectory();
    const judged = [...config, judge(state, 0o077, '700'), judgeWriting(state)].filter((each) => each !== undefined);
    const bad = judged.flatMap((each) => (each === 'good' ? [] : [each]));
    if (bad.length > 0) return bad;
    return [ok('files', judged.length === 0 ? 'none yet' : 'only you can read them')];
  });
}

/** Undefined where rotations can keep what they need there. */
function judgeWriting(folder: string): Finding | undefined {
  try {
    checkWritable(folder);
    return undefined;
  } catch (error) {
    const detail = `can't write ${folder} (${toFault(error)}), so no token can be rotated`;
    return attention('files', detail, 'To rotate, set ORGCTL_STATE_DIR to a folder of yours.');
  }
}

function judge(path: string, forbidden: number, wanted: string, isSecret = false): Finding | 'good' | undefined {
  let found: number | undefined;
  try {
    found = findMode(path);
  } catch (error) {
    return failed('files', 'usage', `can't read ${path}: ${toFault(error)}`, 'Check who owns it.');
  }
  if (found === undefined) return undefined;
  if ((found & forbidden) === 0) return 'good';
  const mode = (found & 0o777).toString(8);
  const detail = `others can ${(found & 0o022) === 0 ? 'read' : 'change'} ${path} (mode ${mode})`;
  const fix = ['chmod', wanted, path];
  return isSecret
    ? failed('files', 'usage', `${detail}, so its secrets are not used`, '', fix)
    : attention('files', detail, '', fix);
}

/**
 * What rotations of any organization left: a run that has not ended, a secret that was not delivered. Of another service
 * than the one that is asked it is only noted. `isReached`: whether that answers.
 */
export async function examineRotations(context: Context, isReached: boolean): Promise<readonly Finding[] | Finding> {
  const { identity, places, services } = context;
  const folders = orFailed('rotations', () =>
    listServiceFolders(places.stateDirectory()).flatMap(({ origin, folder: service }) =>
      listOrganizationFolders(service).flatMap(({ organization, tokens }) =>
        tokens.map((folder) => ({ folder, organization, origin })),
      ),
    ),
  );
  if ('check' in folders) return folders;
  const own = identity.serviceOrigin();
  const nameTeam = async (id: string, origin: string): Promise<string> => {
    if (!isReached || origin !== own) return id;
    try {
      const { attributes } = await (await services.current()).teams.show(id);
      return typeof attributes?.['name'] === 'string' ? attributes['name'] : id;
    } catch (error) {
      if (!(error instanceof OrgctlError) || isSignal(error)) throw error;
      return id;
    }
  };
  const found: Finding[] = [];
  for (const place of folders) {
    const findings = await examineFolder(context, place, (id) => nameTeam(id, place.origin));
    const note = ({ check, detail }: Finding): Finding => ok(check, `of another service: ${detail}`);
    found.push(...(place.origin === own ? findings : findings.map(note)));
  }
  return found.length === 0 ? [ok('rotations', 'no unfinished rotation')] : found;
}

const PHASES: Readonly<Record<OpenRotation['phase'], string>> = {
  preflight: 'it has not sent its request',
  minting: 'it is unknown whether it replaced the token',
  unknown: 'it is unknown whether it replaced the token',
  minted: 'it has not delivered its token everywhere',
};

interface Place {
  readonly folder: string;
  readonly organization: string;
  readonly origin: string;
}

async function examineFolder(
  context: Context,
  { folder, organization, origin }: Place,
  nameTeam: (id: string) => Promise<string>,
): Promise<readonly Finding[]> {
  const { places } = context;
  try {
    const state = createJournal(folder, { unique: places.uniqueName(), user: places.host.user }).read();
    const { open, retiring = [] } = state;
    const team = state.token?.team;
    const token = state.token && { ...state.token, ...(team === undefined ? {} : { team: await nameTeam(team) }) };
    const of = `${token === undefined ? organization : nameKept(organization, token)} at ${origin}`;
    const files = listRecoveryFiles(folder).filter(({ path }) => path !== open?.recovery);
    const found = files.map(({ path, holdsSecret }) =>
      holdsSecret
        ? attention(
            'rotations',
            `${path} keeps an undelivered ${token === undefined ? 'token' : 'secret'} of ${of}`,
            'Move its first line where it belongs, or rotate again. Then remove the file.',
          )
        : attention(
            'rotations',
            `${path} is empty: a killed run for ${of} left it, or one is running now`,
            'The next rotate or generate removes it.',
          ),
    );
    found.push(...retiring.map((old) => examineRetiring(old, of, places.host.now())));
    if (open === undefined) return found;
    const started = toFullTime(open.startedAt, places.host.now());
    const phase = open.proven === undefined ? PHASES[open.phase] : 'it has not deleted the old token';
    const detail = `unfinished rotation of ${of}, started ${started}: ${phase}`;
    return [attention('rotations', detail, ...toFinish(context, organization, open, token)), ...found];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [attention('rotations', toDetail(error.message, error.reasons), error.hint ?? `Check ${folder}.`)];
  }
}

/** What finishes it, as a sentence, and as a command where its places are known. */
function toFinish(
  { identity }: Context,
  organization: string,
  open: OpenRotation,
  token: JournalToken | undefined,
): readonly [fix: string, ...next: readonly (readonly string[])[]] {
  const verb =
    token === undefined ? ['audit-token', 'rotate'] : ['tokens', 'rotate', describeTokenReference(toReference(token))];
  const { to, expires } = identity.isSandbox ? { to: undefined, expires: undefined } : identity.settings;
  // Those of an earlier rotation may be others.
  const places = open.proven?.sinks ?? open.undelivered ?? [];
  const stored = to?.value ?? [];
  const isStored = places.every((place) => stored.some((each) => each === place || each.startsWith(`${place}:`)));
  // The command line of an exec is not kept, and what was printed went somewhere.
  if (places.length === 0 || (!isStored && places.some((place) => place === 'exec' || place === 'stdout'))) {
    return [
      `If it no longer runs, run ${verb.join(' ')} --org ${organization} again with the same --to: that finishes it.`,
    ];
  }
  const more = [
    ...(expires?.value === undefined ? ['--expires', 'same'] : []),
    ...(isStored ? [] : places.flatMap((place) => ['--to', place])),
  ];
  const isRelative = places.some((place) => /^(?:env-)?file:/.test(place) && !isAbsolute(place.replace(/^.*?:/, '')));
  return [
    `If it no longer runs, this finishes it${isRelative ? ', in the folder where it ran' : ''}:`,
    ['orgctl', ...verb, '--org', organization, ...more],
  ];
}

function toReference({ kind, team, description }: JournalToken): TokenReference {
  return kind === 'team' && team !== undefined
    ? { kind, team, description: description ?? null }
    : { kind: kind === 'organization' ? kind : 'audit-trail' };
}

/** An old token that a rotation left beside the new one. */
function examineRetiring(old: RetiringToken, of: string, now: number): Finding {
  const which = `the old token ${toWords(old)} of ${of}`;
  if (!isTimeUp(old, now)) return ok('rotations', `${which} is kept until ${toUtc(Date.parse(old.from))}`);
  const fix =
    'Run its rotation again: it deletes it. With --if-expires-within it creates another only when one is due.';
  return attention('rotations', `${which} is due to be deleted`, fix);
}
