import { describe, expect, it } from 'vitest';
import type { OrgctlError } from '../../../src/old/errors.ts';
import { collect } from '../../../src/old/reading.ts';
import { NO_INCLUDE } from '../../../src/old/service/include.ts';
import type { TeamMember, TeamOutcome } from '../../../src/old/service/team-change.ts';
import { openService } from '../../support/direct.ts';
import { answer, type SeenRequest, startScripted, type Turn } from '../../support/scripted.ts';

/** Many memberships added to a team, or taken out, with one request: what became of each. */

const TEAM = { id: 'team-1', name: 'platform' };
const PATH = `/teams/${TEAM.id}/relationships/organization-memberships`;

/** A service with one team. `act` may do something else with a change than what it says. */
async function startTeam({
  inside = [],
  known,
  act,
  attributes = {},
}: {
  readonly inside?: readonly string[];
  /** Ids of the memberships there are. */
  readonly known: readonly string[];
  readonly act?: (change: Change) => Turn | undefined;
  readonly attributes?: { readonly team?: object; readonly organization?: object };
}) {
  const members = new Set(inside);
  const there = new Set(known);
  const changes: string[] = [];
  const readings: string[] = [];
  const refuse = (detail: string): Turn => answer(400, { errors: [{ status: '400', title: 'bad request', detail }] });
  const change = (request: SeenRequest): Turn => {
    const { method, body } = request;
    const ids = (JSON.parse(body) as { data: { type: string; id: string }[] }).data.map(({ id }) => id);
    changes.push(`${method} ${ids.join(' ')}`);
    const isAddition = method === 'POST';
    const apply = (): void => {
      for (const id of ids)
        if (isAddition) members.add(id);
        else members.delete(id);
    };
    const other = act?.({ ids, number: changes.length, members, there, apply });
    if (other !== undefined) return other;
    for (const id of ids) {
      if (!there.has(id)) return refuse(`${id} is not a membership of the organization`);
      if (members.has(id) === isAddition) return refuse(`${id} is ${isAddition ? 'already' : 'not'} a member`);
    }
    apply();
    return answer(204);
  };
  const read = ({ target }: SeenRequest): Turn => {
    readings.push(target);
    const id = target.split('/').at(-1) ?? '';
    if (target === `/teams/${TEAM.id}`) {
      return answer(200, { data: { id, type: 'teams', attributes: { name: TEAM.name, ...attributes.team } } });
    }
    if (target === '/organizations/acme') {
      return answer(200, { data: { id, type: 'organizations', attributes: { ...attributes.organization } } });
    }
    if (!there.has(id)) return answer(404, { errors: [{ status: '404', title: 'not found' }] });
    const teams = { data: members.has(id) ? [{ type: 'teams', id: TEAM.id }] : [] };
    return answer(200, { data: { id, type: 'organization-memberships', relationships: { teams } } });
  };
  const server = await startScripted((socket, request) =>
    (request.method === 'GET' ? read : change)(request)(socket, request),
  );
  const run = async (
    kind: 'add' | 'remove',
    ids: readonly string[],
    options: Parameters<typeof openService>[1] = {},
    name = TEAM.name,
  ): Promise<readonly (TeamOutcome | OrgctlError)[]> => {
    const { service } = openService(server.origin, options);
    const prepared = service.teams.prepareChange(
      { change: kind, team: { ...TEAM, name }, organization: 'acme' },
      ids.map((id): TeamMember => ({ id, person: `${id}@example.com` })),
    );
    return await Promise.all(ids.map((id) => prepared.settle(id).catch((error: OrgctlError) => error)));
  };
  return { run, members, changes, readings, requests: server.requests, origin: server.origin };
}

interface Change {
  readonly ids: readonly string[];
  /** Which change it is, from 1. */
  readonly number: number;
  readonly members: Set<string>;
  readonly there: Set<string>;
  apply(): void;
}

const codes = (outcomes: readonly (TeamOutcome | OrgctlError)[]): readonly string[] =>
  outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.code));

describe('one request for many', () => {
  it('names each membership in the body, for a removal too', async () => {
    const team = await startTeam({ known: ['ou-1', 'ou-2'], inside: ['ou-2'] });
    expect(await team.run('add', ['ou-1'])).toEqual(['changed']);
    expect(await team.run('remove', ['ou-1', 'ou-2'])).toEqual(['changed', 'changed']);
    expect(team.requests.map(({ method, target, body }) => [method, target, JSON.parse(body)])).toEqual([
      ['POST', PATH, { data: [{ type: 'organization-memberships', id: 'ou-1' }] }],
      ['DELETE', PATH, { data: ['ou-1', 'ou-2'].map((id) => ({ type: 'organization-memberships', id })) }],
    ]);
    expect(team.readings).toEqual([]);
  });

  it('sends at most a hundred at once, and no request before it is wanted', async () => {
    const known = Array.from({ length: 250 }, (_, index) => `ou-${index}`);
    const team = await startTeam({ known });
    const { service } = openService(team.origin);
    service.teams.prepareChange({ change: 'add', team: TEAM, organization: 'acme' }, [{ id: 'ou-1', person: 'ana' }]);
    expect(team.requests).toEqual([]);
    expect(new Set(await team.run('add', known))).toEqual(new Set(['changed']));
    expect(team.changes.map((change) => change.split(' ').length - 1)).toEqual([100, 100, 50]);
  });

  it('sends nothing in a dry run', async () => {
    const team = await startTeam({ known: ['ou-1', 'ou-2'] });
    const effects: string[] = [];
    const options = { dryRun: true, onPlanned: ({ effect }: { readonly effect: string }) => void effects.push(effect) };
    expect(await team.run('add', ['ou-1', 'ou-2'], options)).toEqual(['planned', 'planned']);
    expect(effects).toEqual(['add ou-1@example.com and ou-2@example.com to platform (acme)']);
    expect(team.requests).toEqual([]);
  });
});

describe('a request refused for one membership in it', () => {
  it('is sent again for those whom no one else has added meanwhile', async () => {
    const team = await startTeam({ known: ['ou-1', 'ou-2', 'ou-3'], inside: ['ou-2'] });
    expect(await team.run('add', ['ou-1', 'ou-2', 'ou-3'])).toEqual(['changed', 'unchanged', 'changed']);
    expect(team.changes).toEqual(['POST ou-1 ou-2 ou-3', 'POST ou-1 ou-3']);
  });

  it('is sent again for those whom no one else has taken out, or removed from the organization', async () => {
    const team = await startTeam({ known: ['ou-1', 'ou-3'], inside: ['ou-1'] });
    expect(await team.run('remove', ['ou-1', 'ou-2', 'ou-3'])).toEqual(['changed', 'unchanged', 'unchanged']);
    expect(team.changes).toEqual(['DELETE ou-1 ou-2 ou-3', 'DELETE ou-1']);
  });

  it('says who is no longer in the organization', async () => {
    const team = await startTeam({ known: ['ou-1'] });
    const [one, other] = await team.run('add', ['ou-1', 'ou-2']);
    expect(one).toBe('changed');
    expect(other).toMatchObject({ exit: 'not-found', message: 'ou-2@example.com is no longer in acme' });
  });

  it('is halved until the one is found that is refused for a reason that cannot be read', async () => {
    const refused = answer(400, { errors: [{ status: '400', title: 'bad request' }] });
    const known = ['ou-1', 'ou-2', 'ou-3', 'ou-4', 'ou-5'];
    const team = await startTeam({ known, act: ({ ids }) => (ids.includes('ou-4') ? refused : undefined) });
    expect(codes(await team.run('add', known))).toEqual(['changed', 'changed', 'changed', 'rejected', 'changed']);
    expect([...team.members]).toEqual(['ou-1', 'ou-2', 'ou-3', 'ou-5']);
    expect(team.changes).toHaveLength(7);
  });
});

describe('a request without a clear answer', () => {
  const broken: Turn = (socket) => socket.resetAndDestroy();

  it('is done where the memberships say so', async () => {
    const team = await startTeam({
      known: ['ou-1', 'ou-2'],
      act({ apply }) {
        apply();
        return broken;
      },
    });
    expect(await team.run('add', ['ou-1', 'ou-2'])).toEqual(['changed', 'changed']);
    expect(team.changes).toHaveLength(1);
  });

  it('is sent again where they say that it was not done', async () => {
    const team = await startTeam({ known: ['ou-1'], act: ({ number }) => (number === 1 ? broken : undefined) });
    expect(await team.run('add', ['ou-1'])).toEqual(['changed']);
    expect(team.changes).toHaveLength(2);
  });

  it('is unknown for those of whom nothing says that it was done in time', async () => {
    const team = await startTeam({
      known: ['ou-1', 'ou-2'],
      act({ members }) {
        members.add('ou-1');
        return answer(504, 'gateway timeout');
      },
    });
    expect(codes(await team.run('add', ['ou-1', 'ou-2']))).toEqual(['changed', 'outcome-unknown']);
    expect(team.changes).toHaveLength(1);
  });

  it('is unknown for all where no membership can be read, and one alone is asked for', async () => {
    const server = await startScripted(answer(503, 'no'));
    const { service } = openService(server.origin, { maxRetries: 0 });
    const ids = ['ou-1', 'ou-2', 'ou-3'];
    const prepared = service.teams.prepareChange(
      { change: 'add', team: TEAM, organization: 'acme' },
      ids.map((id) => ({ id, person: id })),
    );
    const outcomes = await Promise.all(ids.map((id) => prepared.settle(id).catch((error: OrgctlError) => error)));
    expect(codes(outcomes)).toEqual(ids.map(() => 'outcome-unknown'));
    expect(new Set(server.requests.slice(1).map(({ target }) => target))).toEqual(
      new Set(['/organization-memberships/ou-1']),
    );
  });
});

describe('a refusal of the whole', () => {
  const forbidden = answer(403, { errors: [{ status: '403', title: 'forbidden' }] });
  const act = (): Turn => forbidden;

  it.each<[what: string, attributes: { team?: object; organization?: object }, code: string, message: string]>([
    [
      'an organization of HCP',
      { organization: { 'is-unified': true } },
      'managed-in-hcp',
      'the teams of acme are managed in HCP',
    ],
    ['a team of HCP', { team: { 'is-unified': true } }, 'managed-in-hcp', 'the teams of acme are managed in HCP'],
    [
      'a team that SCIM fills',
      { team: { 'scim-linked': true, 'scim-group-name': 'Platform' } },
      'managed-by-identity-provider',
      'the identity provider of acme fills platform (SCIM)',
    ],
    ['the last owner', { team: { name: 'owners' } }, 'last-owner', 'that would leave acme without an owner'],
    ['nothing that can be read', {}, 'forbidden', "you don't have permission to remove 2 people from team platform"],
    [
      'a missing permission',
      { team: { name: 'owners', permissions: { 'can-update-membership': false } } },
      'forbidden',
      "you don't have permission to remove 2 people from team platform",
    ],
  ])('is explained by what the team says: %s', async (_, attributes, code, message) => {
    const team = await startTeam({ known: ['ou-1', 'ou-2'], inside: ['ou-1', 'ou-2'], act, attributes });
    const outcomes = await team.run('remove', ['ou-1', 'ou-2']);
    expect(outcomes).toHaveLength(2);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ exit: 'forbidden', code, message });
    expect(team.changes).toEqual(['DELETE ou-1 ou-2']);
    expect(team.readings[0]).toBe(`/teams/${TEAM.id}`);
  });

  it('is what the service said where the team is not found', async () => {
    const notFound = answer(404, { errors: [{ status: '404', title: 'not found' }] });
    const team = await startTeam({ known: ['ou-1'], act: () => notFound });
    expect(codes(await team.run('add', ['ou-1']))).toEqual(['not-found']);
    expect(team.readings).toEqual([]);
  });
});

it('lists who is in a team, page by page', async () => {
  const server = await startScripted(
    answer(200, {
      data: [{ id: 'ou-1', type: 'organization-memberships' }],
      meta: { pagination: { 'total-count': 1 } },
    }),
  );
  const { service } = openService(server.origin);
  const pages = await collect(service.teams.listMembers(TEAM, NO_INCLUDE, {}), (page) => page);
  expect(pages.flatMap(({ items }) => items)).toEqual([{ id: 'ou-1', type: 'organization-memberships' }]);
  expect(server.requests.map(({ target }) => target)).toEqual([`${PATH}?page%5Bsize%5D=100`]);
});
