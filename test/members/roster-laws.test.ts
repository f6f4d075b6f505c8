import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Client } from '../../src/api/client.ts';
import type { HttpResponse } from '../../src/api/http.ts';
import { inviteMember } from '../../src/api/memberships.ts';
import type { Call } from '../../src/api/operations.ts';
import { OrgctlError, ServiceError, UsageError } from '../../src/lib/errors.ts';
import { readPlan, type Step } from '../../src/members/plan.ts';
import { removeSafely } from '../../src/members/removals.ts';
import { createTeamChanges } from '../../src/members/team-changes.ts';

/** What holds of any roster, any organization and any change, against a service that protects nobody. */

type Person = { status: string; teams: string[] };
/** By name, which is the id, too. The service account `bot` has no address. */
type World = Map<string, Person>;

const TEAMS = ['owners', 'audit', 'platform', 'sso'];
const NAMES = ['you', 'boss', 'ada', 'ben', 'cy', 'dan'];
const FLAG = fc.boolean();
const anyTeams = fc.subarray(TEAMS);
const anyPerson = fc.record({ status: fc.constantFrom('active', 'active', 'invited', 'inactive'), teams: anyTeams });
const anyPeople = fc.dictionary(fc.constantFrom('bot', ...NAMES), anyPerson);
const anyRows = fc.dictionary(fc.constantFrom(...NAMES), fc.option(anyTeams, { nil: undefined }));
const anyRules = fc.record({ prune: FLAG, pruneTeams: FLAG, allowOwners: FLAG, includeManaged: FLAG });
const anyChanges = fc.oneof(
  fc.constant([]),
  fc.array(fc.tuple(fc.constantFrom(...NAMES), anyPerson), { maxLength: 3 }),
);

const INCLUDED = [
  ...TEAMS.map((id) => ({ id, type: 'teams', attributes: { name: id, 'sso-team-id': id === 'sso' || null } })),
  { id: 'bot', type: 'users', attributes: { 'is-service-account': true } },
];

function createClient(world: World): Client {
  const respond = (data: unknown) => ({ text: JSON.stringify({ data, included: INCLUDED }) }) as HttpResponse;
  const format = ([id, { status, teams: own }]: [string, Person]) => {
    const teams = { data: own.map((team) => ({ id: team, type: 'teams' })) };
    const attributes = { status, email: id === 'bot' ? null : `${id}@x.co` };
    return { id, type: '', attributes, relationships: { teams, user: { data: { id, type: 'users' } } } };
  };
  function answer({ method, path }: Call, body = '{}'): HttpResponse {
    const [, kind, id = '', what] = path.split('/');
    const { data } = JSON.parse(body);
    if (what === 'teams') return respond(INCLUDED.slice(0, -1));
    if (method === 'GET' && kind === 'teams' && !what) return respond(INCLUDED[0]);
    if (method === 'GET' && what) {
      return respond([...world].filter(([, { teams }]) => kind !== 'teams' || teams.includes(id)).map(format));
    }
    const refused = { errors: [], request: { method, path }, call: undefined };
    const isInvitation = kind === 'organizations';
    if (kind === 'teams') {
      const names: string[] = data.map((one: { id: string }) => one.id);
      if (!names.every((name) => world.has(name))) throw new ServiceError('rejected', '', { ...refused, status: 400 });
      for (const name of names) {
        const own = new Set(world.get(name)?.teams);
        own[method === 'POST' ? 'add' : 'delete'](id);
        world.set(name, { status: 'active', ...world.get(name), teams: [...own] });
      }
      return respond({ id, type: 'teams' });
    }
    const name = isInvitation ? data.attributes.email.split('@')[0] : id;
    const person = world.get(name) ?? { status: 'invited', teams: [] };
    const refusal = { ...refused, status: isInvitation ? 422 : 404 };
    if (world.has(name) === isInvitation) throw new ServiceError('rejected', '', refusal);
    const asked = isInvitation ? data.relationships.teams.data.map((team: { id: string }) => team.id) : [];
    if (isInvitation) world.set(name, { ...person, teams: TEAMS.filter((team) => asked.includes(team)) });
    else if (method === 'DELETE') world.delete(name);
    return respond(format([name, person]));
  }
  return {
    read: async (call: Call) => answer(call),
    write: async (call: Call, { body, read }: Parameters<Client['write']>[1]) => read(answer(call, body)),
  } as unknown as Client;
}

const isOwner = (person: Person | undefined) => person?.teams.includes('owners');
const isManaged = ({ status, teams }: Person) => status === 'inactive' || teams.includes('sso');
const hasOwner = (world: World) =>
  [...world].some(([name, person]) => name !== 'bot' && person.status === 'active' && isOwner(person));

test('a plan, what others do, and apply', async () => {
  const counts = { refused: 0, applied: 0 };
  const law = fc.asyncProperty(anyPeople, anyRows, anyRules, anyChanges, async (people, rows, rules, changes) => {
    const world = new Map(Object.entries({ you: { status: 'active', teams: ['owners'] }, ...people }));
    const [before, client] = [new Map(world), createClient(world)];
    const listed = Object.entries(rows).map(([name, asked]) => {
      // An invitation needs a team.
      const teams = asked?.length || world.has(name) ? asked : ['audit'];
      return { location: name, query: { email: `${name}@x.co` }, teams, org: undefined };
    });
    const plan = () =>
      readPlan(client, 'acme', listed, { ...rules, isCaller: ({ id }: { id: string }) => id === 'you' }, []);
    const planned = await plan().catch((error: unknown) => error);
    if (planned instanceof UsageError) return;
    const { steps, leavingOwners } = planned as Awaited<ReturnType<typeof plan>>;
    for (const [name, person] of changes) world.set(name, person);
    const meanwhile = new Map(world);
    const moves = steps.filter((step) => step.action === 'teams');
    const { act } = createTeamChanges(client, moves);
    const apply = async (step: Step) => {
      if (step.action === 'invite') return inviteMember(client, 'acme', step.email, step.teams);
      return step.action === 'remove' ? removeSafely(client, 'acme', step.member, leavingOwners) : act(step);
    };
    for (const step of steps) {
      const refusal = await apply(step).catch((error) => error);
      if (refusal instanceof Error) expect(refusal).toBeInstanceOf(OrgctlError);
      counts[refusal instanceof Error ? 'refused' : 'applied'] += 1;
    }

    for (const [name, person] of meanwhile) {
      const lost = person.teams.filter((team) => !world.get(name)?.teams.includes(team));
      if (lost.length === 0 && world.has(name)) continue;
      const step = steps.find((one) => one.action !== 'invite' && one.member.id === name);
      expect(step?.action).toBe(world.has(name) ? 'teams' : 'remove');
      if (step?.action === 'teams') expect(step.remove.map(({ id }) => id)).toEqual(expect.arrayContaining(lost));
      expect(name).not.toBe('you');
      // Who leaves is still as the plan showed them.
      if (!world.has(name)) expect(before.get(name)).toEqual(person);
      expect(world.has(name) ? rules.pruneTeams && !lost.includes('owners') : rules.prune).toBe(true);
    }
    expect(hasOwner(world) || !hasOwner(meanwhile)).toBe(true);
    if (changes.length > 0) return;
    expect((await plan()).steps).toEqual([]);
    for (const [name, person] of before) {
      const isSpared = !rules.includeManaged && (name === 'bot' || isManaged(person));
      const isKept = name === 'you' || (isOwner(person) && !rules.allowOwners) || isSpared;
      expect(world.has(name)).toBe(name in rows || !rules.prune || isKept);
    }
    for (const [name, teams = []] of Object.entries(rows)) {
      const open = teams.filter((team) => rules.includeManaged || team !== 'sso');
      expect(world.get(name)?.teams ?? []).toEqual(expect.arrayContaining(open));
    }
  });
  await fc.assert(law, { numRuns: 600 });
  expect(Math.min(counts.applied, counts.refused)).toBeGreaterThan(20);
});
