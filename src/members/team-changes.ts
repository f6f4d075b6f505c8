import type { Client } from '../api/client.ts';
import type { TeamVerb } from '../api/teams.ts';
import { isFailure, isSignal, OrgctlError } from '../lib/errors.ts';
import { joinNames } from '../lib/text.ts';
import { formatMember, type Member } from './member.ts';
import { assertOwnerRemains } from './owners.ts';
import { type End, TeamRequests } from './team-requests.ts';
import { mayBeOwners, type Team } from './teams.ts';

/** The teams that a person joins and leaves. */
export interface TeamChange {
  org: string;
  member: Member;
  add: Team[];
  remove: Team[];
}

/** What became of a person in each team, in order. */
type Ends = { verb: TeamVerb; team: Team; end: End }[];

/** Changes the teams of many people, in requests that those of an organization share. */
export function createTeamChanges(client: Client, changes: TeamChange[]) {
  const runs = new Map<string, ReturnType<typeof changeOrg>>();
  return {
    /** Whether requests for the person may have been sent. */
    hasStarted: ({ org }: TeamChange): boolean => runs.has(org),
    /** Changes everybody of the person's organization. Undefined in a dry run. Throws if nothing was done for the person. */
    async act(change: TeamChange) {
      const { org } = change;
      const isOwn = (one: TeamChange): boolean => one.org === org;
      const run = runs.get(org) ?? changeOrg(client, org, changes.filter(isOwn));
      runs.set(org, run);
      const { ends, stoppedBy } = await run;
      return summarize(change, ends.get(change) ?? [], stoppedBy);
    },
  };
}

/** Everybody is in the new teams before anybody leaves one. */
async function changeOrg(client: Client, org: string, changes: TeamChange[]) {
  const requests = new TeamRequests(client);
  const ends = new Map<TeamChange, Ends>(changes.map((change) => [change, []]));
  await refuseLastOwners(client, org, ends);
  for (const verb of ['add', 'remove'] as const) {
    const isOk = ({ end }: Ends[number]): boolean => typeof end === 'string' && end !== 'not-attempted';
    const able = [...ends].flatMap(([change, before]) => (before.every(isOk) ? [change] : []));
    for (const { team, some } of groupByTeam(able, verb)) {
      const members = some.map(({ member }) => ({ id: member.id, person: formatMember(member), org }));
      const found = await requests.change(verb, team, members);
      for (const change of some) {
        const end = found.get(change.member.id);
        if (end) ends.get(change)?.push({ verb, team, end });
      }
    }
  }
  return { ends, stoppedBy: requests.stoppedBy };
}

/** Nobody joins a team whose other half is refused. */
async function refuseLastOwners(client: Client, org: string, ends: Map<TeamChange, Ends>): Promise<void> {
  const leaving = [...ends.keys()].filter(({ remove }) => remove.some(mayBeOwners));
  if (leaving.length === 0) return;
  try {
    const members = leaving.map(({ member }) => member);
    await assertOwnerRemains(client, org, members);
  } catch (error) {
    if (!isFailure(error)) throw error;
    for (const change of leaving) {
      const [team] = change.remove;
      if (team) ends.set(change, [{ verb: 'remove', team, end: error }]);
    }
  }
}

function groupByTeam(changes: TeamChange[], verb: TeamVerb): { team: Team; some: TeamChange[] }[] {
  const groups = new Map<string, { team: Team; some: TeamChange[] }>();
  for (const change of changes) {
    for (const team of change[verb]) {
      const group = groups.get(team.id) ?? { team, some: [] };
      group.some.push(change);
      groups.set(team.id, group);
    }
  }
  return [...groups.values()];
}

function summarize({ member }: TeamChange, ends: Ends, stoppedBy: OrgctlError | undefined) {
  const all = ends.map(({ end }) => end);
  const errors = all.filter((end) => end instanceof OrgctlError);
  const isSkipped = all.includes('not-attempted');
  const error = errors.find(isUnknown) ?? errors[0] ?? (isSkipped ? stoppedBy : undefined);
  if (!all.includes('changed')) {
    if (errors.length > 0) throw error;
    if (isSkipped) return { result: 'not-attempted', changed: false };
    return all.includes('planned') ? undefined : { result: 'unchanged', changed: false };
  }
  if (!error) return { result: 'changed', changed: true };
  const { exit, code, reasons, hint, message } = error;
  const text = `${formatMember(member)} is ${describeDone(ends)} now; ${message}`;
  const failure = new OrgctlError(exit, text, { code, reasons, hint, cause: error });
  return { result: errors.some(isUnknown) ? 'unknown' : 'failed', changed: true, failure };
}

function isUnknown(error: OrgctlError): boolean {
  return error.exit === 'outcome-unknown' || isSignal(error);
}

/** `in platform and no longer in audit` */
function describeDone(ends: Ends): string {
  const list = (verb: TeamVerb, words: string): string[] => {
    const done = ends.filter((one) => one.verb === verb && one.end === 'changed');
    return done.length > 0 ? [`${words} ${joinNames(done.map(({ team }) => team.name))}`] : [];
  };
  return [...list('add', 'in'), ...list('remove', 'no longer in')].join(' and ');
}
