import { ConnectionError, isSignal, OrgctlError, ServiceError } from '../lib/errors.ts';

/** What became of the change of one person. */
export type Outcome = 'changed' | 'unchanged' | 'planned' | 'not-attempted' | OrgctlError;

/** One change for many people. */
export interface Change<Person> {
  /** Checks right before each request. Its errors are those of the request's people. */
  check?(): Promise<void>;
  /** Sends one request, and returns what became of each person. Throws OrgctlError for a request that was refused. */
  send(people: Person[]): Promise<Map<Person, Outcome>>;
  /** Reads whose change shows. Undefined if that can't be read. Throws signals only. */
  look(people: Person[]): Promise<Set<Person> | undefined>;
  /** The error of people whose change is not known. */
  describeUnknown(people: Person[], error: OrgctlError): OrgctlError;
  record(people: Iterable<Person>, outcome: Outcome): void;
}

/** How much one request takes. */
const MAX_PEOPLE = 100;
/** Who is done is known only by reading: the service may have acted for some of the people (facts). */
const LOOKED_AT = new Set([400, 413, 422]);
/** Every further request of the organization would repeat these. */
const STOPPING = new Set(['usage', 'read-only', 'not-authenticated', 'rate-limited']);

/** What follows a request that was refused. No text of an error decides. */
function decideNext(error: OrgctlError): 'look' | 'halve' | 'fail' | 'stop' {
  if (isSignal(error) || STOPPING.has(error.code)) return 'stop';
  const status = error instanceof ServiceError ? error.status : undefined;
  const isTooLarge = error instanceof ConnectionError && error.status === 413;
  if (isTooLarge || (status !== undefined && LOOKED_AT.has(status))) return 'look';
  return status === 403 ? 'halve' : 'fail';
}

/** Makes a change in as few requests as the service allows. After an error that stops, nothing more is sent. */
export class InParts {
  stoppedBy: OrgctlError | undefined;
  /** People of requests that were answered 403, after which nobody looked. */
  private unseen = new Set<unknown>();

  /** Records an outcome for each person. `onPart` is called whenever some are done. */
  async change<Person>(people: Person[], change: Change<Person>, onPart: (part: Person[]) => void): Promise<void> {
    for (let start = 0; start < people.length; start += MAX_PEOPLE) {
      const part = people.slice(start, start + MAX_PEOPLE);
      await this.changePart(part, change);
      onPart(part);
    }
  }

  private async changePart<Person>(people: Person[], change: Change<Person>): Promise<void> {
    const refusal = await this.send(people, change);
    if (refusal) await this.halve(people, change, refusal);
  }

  /** Returns the 403 of people who may be tried in halves. */
  private async send<Person>(people: Person[], change: Change<Person>): Promise<OrgctlError | undefined> {
    if (this.stoppedBy) return void change.record(people, 'not-attempted');
    let isSent = false;
    try {
      await change.check?.();
      isSent = true;
      for (const [person, outcome] of await change.send(people)) change.record([person], outcome);
    } catch (error) {
      if (!(error instanceof OrgctlError)) throw error;
      const next = decideNext(error);
      if (isSent && next === 'halve') return error;
      if (isSent && next === 'look') return void (await this.lookAndHalve(people, change, error));
      if (next === 'stop') this.stoppedBy = error;
      // A signal itself, without what it interrupted, came before the request was sent.
      const isUnsent = isSignal(error) && !isSignal(error.cause);
      change.record(people, isUnsent ? 'not-attempted' : error);
    }
    return undefined;
  }

  private async halve<Person>(people: Person[], change: Change<Person>, refusal: OrgctlError): Promise<void> {
    if (people.length === 1) return change.record(people, refusal);
    for (const person of people) this.unseen.add(person);
    const halves: { half: Person[]; refused: OrgctlError | undefined }[] = [];
    for (const half of split(people)) halves.push({ half, refused: await this.send(half, change) });
    const isRefused = halves.every(({ refused }) => refused);
    for (const { half, refused } of halves) {
      if (refused && isRefused) change.record(half, refused);
      else if (refused) await this.halve(half, change, refused);
    }
  }

  private async lookAndHalve<Person>(people: Person[], change: Change<Person>, refusal: OrgctlError): Promise<void> {
    const isOne = people.length === 1;
    const done = await change.look(people).catch((error: unknown) => {
      if (!(error instanceof OrgctlError)) throw error;
      this.stoppedBy = error;
      return undefined;
    });
    if (!done)
      return change.record(people, isOne ? refusal : change.describeUnknown(people, this.stoppedBy ?? refusal));
    // A request for one person was refused as a whole, so somebody else was faster, unless an earlier request did it.
    for (const person of done) change.record([person], isOne && !this.unseen.has(person) ? 'unchanged' : 'changed');
    const left = people.filter((person) => !done.has(person));
    for (const person of left) this.unseen.delete(person);
    if (isOne) return change.record(left, refusal);
    for (const half of split(left)) await this.changePart(half, change);
  }
}

function split<Person>(people: Person[]): Person[][] {
  const middle = Math.ceil(people.length / 2);
  return [people.slice(0, middle), people.slice(middle)].filter((half) => half.length > 0);
}
