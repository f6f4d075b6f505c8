import { type Client, createUnknownError } from '../api/client.ts';
import type { MemberReference } from '../api/memberships.ts';
import { readDecoration } from '../api/not-found.ts';
import { changeTeamMembers, createTeamCall, findChanged, type TeamVerb } from '../api/teams.ts';
import { ConnectionError, isSignal, OrgctlError, ServiceError, STOPPING } from '../lib/errors.ts';
import type { Team } from './teams.ts';

/** What became of one person in one team. */
export type End = 'changed' | 'unchanged' | 'planned' | 'not-attempted' | OrgctlError;

/** One request takes at most so many people. */
const MAX_PEOPLE = 100;
/** Who is done is known only by reading: the service may have acted for some of the people (facts). */
const LOOKED_AT = [400, 413, 422];

/** Adds people to teams of an organization, and removes them, in as few requests as the service allows. */
export class TeamRequests {
  /** After this error nothing more is sent. */
  stoppedBy: OrgctlError | undefined;
  private client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  /** Returns what became of each person, by the id of the membership. */
  async change(verb: TeamVerb, team: Team, members: MemberReference[]): Promise<Map<string, End>> {
    const all: TeamRun = { verb, team, ends: new Map(), unseen: new Set() };
    for (let start = 0; start < members.length; start += MAX_PEOPLE) {
      await this.changePart(all, members.slice(start, start + MAX_PEOPLE));
    }
    return all.ends;
  }

  private async changePart(all: TeamRun, people: MemberReference[]): Promise<void> {
    const refusal = await this.send(all, people);
    if (refusal) await this.tryHalves(all, people, refusal);
  }

  /** Sends one request. Returns the 403 of people who may be tried in halves. The status decides, never the text of an error. */
  private async send(all: TeamRun, people: MemberReference[]): Promise<OrgctlError | undefined> {
    if (this.stoppedBy) return record(all, people, 'not-attempted');
    try {
      const failures = await changeTeamMembers(this.client, all.verb, all.team, people);
      for (const { id } of people) all.ends.set(id, failures ? (failures.get(id) ?? 'changed') : 'planned');
    } catch (error) {
      if (!(error instanceof OrgctlError)) throw error;
      const isTooLarge = error instanceof ConnectionError && error.status === 413;
      const status = isTooLarge || error instanceof ServiceError ? error.status : undefined;
      if (status === 403) return error;
      if (status !== undefined && LOOKED_AT.includes(status)) return this.look(all, people, error);
      if (isSignal(error) || STOPPING[error.code]) this.stoppedBy = error;
      // A signal that interrupted nothing came before the request was sent.
      record(all, people, isSignal(error) && !isSignal(error.cause) ? 'not-attempted' : error);
    }
    return undefined;
  }

  /** Sends the halves after a 403. If both are refused too, all fail. */
  private async tryHalves(all: TeamRun, people: MemberReference[], refusal: OrgctlError): Promise<void> {
    if (people.length === 1) return void record(all, people, refusal);
    for (const { id } of people) all.unseen.add(id);
    const refused: { half: MemberReference[]; error: OrgctlError }[] = [];
    for (const half of split(people)) {
      const error = await this.send(all, half);
      if (error) refused.push({ half, error });
    }
    for (const { half, error } of refused) {
      if (refused.length === 2) record(all, half, error);
      else await this.tryHalves(all, half, error);
    }
  }

  /** Reads who is done after a refusal that may have changed some of the people, and sends the others in halves. */
  private async look(all: TeamRun, people: MemberReference[], refusal: OrgctlError): Promise<undefined> {
    const { verb, team, ends, unseen } = all;
    const isOne = people.length === 1;
    const reading = readDecoration(findChanged(this.client, verb, team, people));
    const done = await reading.catch((signal: unknown) => {
      if (!(signal instanceof OrgctlError)) throw signal;
      this.stoppedBy = signal;
    });
    if (!done) {
      const { action } = createTeamCall(verb, team, people);
      const unknown = createUnknownError(action, this.stoppedBy ?? refusal, 'Run it again.');
      return record(all, people, isOne ? refusal : unknown);
    }
    // A request for one person was refused as a whole, so somebody else was faster, unless an earlier request did it.
    for (const id of done) ends.set(id, isOne && !unseen.has(id) ? 'unchanged' : 'changed');
    const left = people.filter(({ id }) => !done.has(id));
    for (const { id } of left) unseen.delete(id);
    if (isOne) return record(all, left, refusal);
    for (const half of split(left)) await this.changePart(all, half);
  }
}

interface TeamRun {
  verb: TeamVerb;
  team: Team;
  ends: Map<string, End>;
  /** People of requests that were answered 403, after which nobody looked. */
  unseen: Set<string>;
}

function record({ ends }: TeamRun, people: MemberReference[], end: End): undefined {
  for (const { id } of people) ends.set(id, end);
}

function split<T>(items: T[]): T[][] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)].filter((half) => half.length > 0);
}
