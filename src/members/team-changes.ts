import pMap from 'p-map';
import type { Client } from '../api/client.ts';
import { readDecoration } from '../api/not-found.ts';
import { changeTeamMembers, createUnknownError, findChanged, type TeamVerb } from '../api/teams.ts';
import { isFailure, isSignal, OrgctlError } from '../lib/errors.ts';
import { joinNames } from '../lib/text.ts';
import { type Change, InParts, type Outcome } from './in-parts.ts';
import { formatMember, type Member } from './member.ts';
import { assertOwnerRemains } from './owners.ts';
import type { Team } from './teams.ts';

/** The teams that a person joins and leaves. */
export interface TeamChange {
  org: string;
  member: Member;
  add: Team[];
  remove: Team[];
}

export type TeamResult = {
  result: 'changed' | 'unchanged' | 'failed' | 'unknown' | 'not-attempted';
  changed: boolean;
  /** Why not all was done. */
  failure?: OrgctlError;
};

/** Errors by the id of the membership. */
type FindProblems = (org: string, members: Member[]) => Promise<Map<string, OrgctlError>>;

const CONCURRENCY = 8;
/** Few people are changed one organization after the other, so that a fatal error stops the rest at once. */
const MAX_SEQUENTIAL = 10;

/**
 * Changes the teams of many people, in requests that they share. Everybody is in the new teams before anybody leaves one.
 * `findProblems` names people who may not be changed by now.
 */
export function createTeamChanges(client: Client, changes: TeamChange[], findProblems?: FindProblems) {
  const people = new Map(changes.map((change) => [change, new Progress(change)]));
  let hasStarted = false;
  function start(): void {
    if (hasStarted) return;
    hasStarted = true;
    const orgs = groupBy(people.values(), ({ change }) => [change.org]);
    const concurrency = changes.length > MAX_SEQUENTIAL ? CONCURRENCY : 1;
    void pMap(orgs, ([org, own]) => changeOrg(client, org, own, findProblems), { concurrency });
  }
  return {
    /** Whether requests for any of the people may have been sent. */
    hasStarted: () => hasStarted,
    /** Undefined in a dry run. Throws the error of a person for whom nothing was done. */
    async act(change: TeamChange): Promise<TeamResult | undefined> {
      start();
      return people.get(change)?.result;
    },
  };
}

/** What is known about the change of one person. */
class Progress {
  change: TeamChange;
  result: Promise<TeamResult | undefined>;
  problem: OrgctlError | undefined;
  private outcomes = { add: new Map<Team, Outcome>(), remove: new Map<Team, Outcome>() };
  private end: (result: TeamResult | undefined) => void = () => undefined;
  fail: (error: unknown) => void = () => undefined;

  constructor(change: TeamChange) {
    this.change = { ...change, add: dropRepeated(change.add), remove: dropRepeated(change.remove) };
    this.result = new Promise((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
    });
    // A signal may end the batch before anybody waits for this person.
    this.result.catch(() => undefined);
  }

  record(verb: TeamVerb, team: Team, outcome: Outcome): void {
    this.outcomes[verb].set(team, outcome);
  }

  /** Whether the person may leave teams. */
  get hasJoined(): boolean {
    const { add } = this.outcomes;
    return add.size === this.change.add.length && [...add.values()].every(isOk);
  }

  settle(stoppedBy?: OrgctlError): void {
    const { add, remove } = this.outcomes;
    const hasAsked = add.size === this.change.add.length;
    const isDone = this.problem || (hasAsked && (!this.hasJoined || remove.size === this.change.remove.length));
    if (!isDone) return;
    try {
      this.end(this.summarize(stoppedBy));
    } catch (error) {
      this.fail(error);
    }
  }

  private summarize(stoppedBy: OrgctlError | undefined): TeamResult | undefined {
    if (this.problem) throw this.problem;
    const { add, remove } = this.outcomes;
    const all = [...add.values(), ...remove.values()];
    const errors = all.filter((outcome) => outcome instanceof OrgctlError);
    const isSkipped = all.includes('not-attempted');
    const error = errors.find(isUnknown) ?? errors[0] ?? (isSkipped ? stoppedBy : undefined);
    if (!all.includes('changed')) {
      if (errors.length > 0) throw error;
      if (isSkipped) return { result: 'not-attempted', changed: false };
      return all.includes('planned') ? undefined : { result: 'unchanged', changed: false };
    }
    if (!error) return { result: 'changed', changed: true };
    const failure = this.describePart(error);
    return { result: errors.some(isUnknown) ? 'unknown' : 'failed', changed: true, failure };
  }

  private describePart(error: OrgctlError): OrgctlError {
    const listDone = (verb: TeamVerb): string[] =>
      [...this.outcomes[verb]].flatMap(([team, outcome]) => (outcome === 'changed' ? [team.name] : []));
    const [joined, left] = [listDone('add'), listDone('remove')];
    const parts = [
      joined.length > 0 && `in ${joinNames(joined)}`,
      left.length > 0 && `no longer in ${joinNames(left)}`,
    ].filter(Boolean);
    const { exit, code, reasons, hint, message } = error;
    const text = `${formatMember(this.change.member)} is ${parts.join(' and ')} now; ${message}`;
    return new OrgctlError(exit, text, { code, reasons, hint, cause: error });
  }
}

/** A row may name a team twice. */
function dropRepeated(teams: Team[]): Team[] {
  return [...new Map(teams.map((team) => [team.id, team])).values()];
}

function isOk(outcome: Outcome): boolean {
  return outcome === 'changed' || outcome === 'unchanged' || outcome === 'planned';
}

function isUnknown(error: OrgctlError): boolean {
  return error.exit === 'outcome-unknown' || isSignal(error);
}

async function changeOrg(
  client: Client,
  org: string,
  people: Progress[],
  findProblems: FindProblems | undefined,
): Promise<void> {
  const requests = new InParts();
  const settle = (some: Progress[]): void => {
    for (const person of some) person.settle(requests.stoppedBy);
  };
  try {
    await findFirstProblems(client, org, people, findProblems);
    settle(people);
    for (const verb of ['add', 'remove'] as const) {
      const able = people.filter((person) => !person.problem && (verb === 'add' || person.hasJoined));
      const teams = new Map(able.flatMap(({ change }) => change[verb]).map((team) => [team.id, team]));
      for (const [id, some] of groupBy(able, ({ change }) => change[verb].map((team) => team.id))) {
        const team = teams.get(id);
        if (team) await requests.change(some, createChange(client, org, verb, team, some), settle);
      }
    }
  } catch (error) {
    for (const person of people) person.fail(error);
  }
}

/** What forbids the change of a person before anything is sent for them. */
async function findFirstProblems(
  client: Client,
  org: string,
  people: Progress[],
  findProblems: FindProblems | undefined,
): Promise<void> {
  const leaving = people.filter(({ change }) => change.remove.length > 0);
  const found = await findProblems?.(org, listMembers(leaving));
  for (const person of leaving) person.problem = found?.get(person.change.member.id);
  // Nobody joins a team whose other half is refused.
  const owners = leaving.filter(({ change }) => change.remove.some(({ isOwners }) => isOwners));
  if (owners.every(({ change }) => change.add.length === 0)) return;
  await assertOwnerRemains(client, org, listMembers(owners)).catch((error: unknown) => {
    if (!isFailure(error)) throw error;
    for (const person of owners) person.problem ??= error;
  });
}

function listMembers(people: Progress[]): Member[] {
  return people.map(({ change }) => change.member);
}

function groupBy<T>(items: Iterable<T>, listKeys: (item: T) => string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    for (const key of listKeys(item)) {
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
  }
  return groups;
}

function createChange(client: Client, org: string, verb: TeamVerb, team: Team, all: Progress[]): Change<Progress> {
  const refer = ({ change: { member } }: Progress) => ({ id: member.id, person: formatMember(member), org });
  return {
    async check() {
      if (verb === 'remove' && team.isOwners) await assertOwnerRemains(client, org, listMembers(all));
    },
    async send(people) {
      const end = await changeTeamMembers(client, verb, team, people.map(refer));
      const find = (person: Progress): Outcome => {
        if (!end) return 'planned';
        return end.done.has(person.change.member.id) ? 'changed' : end.createError(refer(person));
      };
      return new Map(people.map((person) => [person, find(person)]));
    },
    async look(people) {
      const done = await readDecoration(findChanged(client, verb, team, people.map(refer)));
      return done && new Set(people.filter(({ change }) => done.has(change.member.id)));
    },
    describeUnknown: (people, error) => createUnknownError(verb, team, people.map(refer), error),
    record(people, outcome) {
      for (const person of people) person.record(verb, team, outcome);
    },
  };
}
