import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { type Ended, openKills, type Plan } from './kills.ts';

/** People by address, each with teams; without them those that they have stay. */
export type Roster = Record<string, string[] | undefined>;

interface Listed {
  id: string;
  attributes: { email: string; name: string };
  relationships: { teams: { data: { id: string }[] } };
}

/** `members apply` that is killed, with a service that misbehaves, and what has to hold whatever happens. */
export async function openRoster(roster: Roster) {
  const sandbox = openSandbox({ state: ':memory:', rateLimit: 0, now: Date.now, randomBytes });
  const kills = await openKills((request) => sandbox.handle(request));
  const violations: string[] = [];
  const say = (isWrong: boolean, text: string): void => void (isWrong && violations.push(text));

  async function list(what: string): Promise<Listed[]> {
    const headers = { authorization: 'Bearer sandbox.owner' };
    const url = `http://127.0.0.1/api/v2/organizations/acme/${what}?page%5Bsize%5D=100`;
    const response = await sandbox.handle(new Request(url, { headers }));
    return ((await response.json()) as { data: Listed[] }).data;
  }
  const names = new Map((await list('teams')).map(({ id, attributes }) => [id, attributes.name]));
  /** The names of teams by address. */
  async function listPeople(): Promise<Map<string, string[]>> {
    const people = await list('organization-memberships');
    return new Map(
      people.map(({ attributes: { email }, relationships: { teams } }) => [
        email,
        teams.data.map(({ id }) => names.get(id) ?? id),
      ]),
    );
  }
  const format = (people: Map<string, string[]>): string =>
    [...people]
      .map(([email, teams]) => `${email} (${teams.toSorted()})`)
      .toSorted()
      .join(', ');

  const before = await listPeople();
  const expected = new Map(Object.entries(roster).map(([email, teams]) => [email, teams ?? before.get(email) ?? []]));
  const lines = Object.entries(roster).map(([email, teams]) => `${email},${teams?.join(';') ?? ''}\n`);
  writeFileSync(join(kills.folder, 'roster.csv'), `email,teams\n${lines.join('')}`);
  const argv = 'members apply --file roster.csv --prune --prune-teams --max-removals 99 --yes'.split(' ');

  async function run(plan: Plan = {}): Promise<Ended> {
    const ended = await kills.run(argv, plan);
    say(ended.code === 1, `it ended with 1: ${ended.stderr}`);
    const writes = ended.sent.filter(({ method, fault }) => method !== 'GET' && fault !== '429');
    sayTwice(writes, 'was sent twice');
    sayTwice(
      kills.sent.filter(({ method, isDone }) => method !== 'GET' && isDone),
      'was done twice',
    );
    const people = await listPeople();
    for (const [email, teams] of before) {
      say(email in roster && !people.has(email), `${email} was removed`);
      const now = people.get(email) ?? [];
      const [left, open] = [
        teams.filter((team) => !now.includes(team)),
        roster[email]?.filter((team) => !now.includes(team)),
      ];
      say(
        left.length > 0 && open !== undefined && open.length > 0,
        `${email} left ${left} before they were in ${open}`,
      );
    }
    return ended;
  }

  function sayTwice(all: Ended['sent'], what: string): void {
    const texts = all.map(({ method, path, body }) => `${method} ${path} ${body}`);
    for (const text of texts) say(texts.indexOf(text) !== texts.lastIndexOf(text), `${text} ${what}`);
  }

  /** The same command until it ends well. */
  async function finish(): Promise<Ended[]> {
    const runs = [await run()];
    while (runs.length < 3 && runs.at(-1)?.code !== 0) runs.push(await run());
    const last = runs.at(-1);
    say(last?.code !== 0, `it never ends well: exit ${last?.code}: ${last?.stderr}`);
    const end = format(await listPeople());
    say(end !== format(expected), `the end is ${end}, and not ${format(expected)}`);
    return runs;
  }

  function close(): void {
    kills.close();
    sandbox.close();
  }

  return { violations, run, finish, close };
}
