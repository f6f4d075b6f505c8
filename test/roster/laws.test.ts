import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldEmail } from '../../src/email.ts';
import { createHome, type RunResult } from '../support/run.ts';
import { startService, type TestService } from '../support/service.ts';

/** What holds of any roster, any organization and any change, through the front door and against the real sandbox. */

const OWNER = 'olive.owner@example.com';
const TEAMS = ['platform', 'security', 'audit'] as const;
const PEOPLE = [
  'milo.member@example.com',
  'ada.auditor@example.com',
  'ivan.invitee@example.com',
  ...[...'abcdef'].map((name) => `${name}@example.com`),
];

interface Row {
  readonly email: string;
  readonly teams: readonly string[];
}

interface Listed {
  readonly id: string;
  readonly email: string;
  readonly status: string;
  readonly teams: readonly string[];
}

type Change =
  | { readonly kind: 'invite'; readonly row: Row }
  | { readonly kind: 'accept' | 'remove'; readonly email: string };

interface Drawn {
  /** What happened before anybody planned anything. */
  readonly before: readonly Change[];
  readonly roster: readonly Row[];
  readonly format: 'yaml' | 'json' | 'csv';
  readonly prune: boolean;
  /** What happens meanwhile. */
  readonly meanwhile: readonly Change[];
}

const anyTeams = fc.subarray([...TEAMS], { minLength: 1 });
const anyPerson = fc.constantFrom(...PEOPLE);
const anyRow = fc
  .tuple(fc.constantFrom(OWNER, ...PEOPLE), fc.boolean(), anyTeams)
  .map(([email, loud, teams]): Row => ({ email: loud ? email.toUpperCase() : email, teams }));
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('invite' as const), row: fc.record({ email: anyPerson, teams: anyTeams }) }),
  fc.record({ kind: fc.constantFrom('accept' as const, 'remove' as const), email: anyPerson }),
);
const anyDrawn: fc.Arbitrary<Drawn> = fc.record({
  before: fc.array(anyChange, { maxLength: 10 }),
  roster: fc.array(anyRow, { minLength: 1, maxLength: 10 }),
  format: fc.constantFrom('yaml', 'json', 'csv'),
  prune: fc.boolean(),
  meanwhile: fc.array(anyChange, { minLength: 1, maxLength: 6 }),
});
const RUNS = { numRuns: 25 };
const ALONE: Omit<Drawn, 'meanwhile'> = {
  before: [],
  roster: [{ email: OWNER, teams: ['platform'] }],
  format: 'yaml',
  prune: true,
};

function toText(roster: readonly Row[], format: Drawn['format']): string {
  if (format === 'json') return JSON.stringify({ members: roster });
  if (format === 'csv') {
    return `email,teams\n${roster.map(({ email, teams }) => `${email},${teams.join(';')}\n`).join('')}`;
  }
  return `members:\n${roster.map(({ email, teams }) => `- {email: ${email}, teams: [${teams.join(', ')}]}\n`).join('')}`;
}

async function list({ ask }: TestService): Promise<readonly Listed[]> {
  const { body } = await ask('GET', '/organizations/acme/organization-memberships?page%5Bsize%5D=100');
  const { data } = body as {
    data: readonly {
      readonly id: string;
      readonly attributes: { readonly email: string; readonly status: string };
      readonly relationships: { readonly teams: { readonly data: readonly { readonly id: string }[] } };
    }[];
  };
  return data.map(({ id, attributes: { email, status }, relationships }) => ({
    id,
    email,
    status,
    teams: relationships.teams.data.map((team) => team.id),
  }));
}

/** A change that is impossible, such as inviting somebody who is there, changes nothing. */
async function change(service: TestService, changes: readonly Change[]): Promise<void> {
  const { body } = await service.ask('GET', '/organizations/acme/teams');
  const teams = new Map(
    (body as { data: readonly { id: string; attributes: { name: string } }[] }).data.map(
      ({ id, attributes: { name } }) => [name, id] as const,
    ),
  );
  for (const one of changes) {
    const found = (await list(service)).find(({ email }) => one.kind !== 'invite' && email === one.email);
    if (one.kind === 'invite') {
      const { email, teams: names } = one.row;
      const identifiers = names.map((name) => ({ type: 'teams', id: teams.get(name) }));
      await service.ask('POST', '/organizations/acme/organization-memberships', 'owner', {
        data: {
          type: 'organization-memberships',
          attributes: { email },
          relationships: { teams: { data: identifiers } },
        },
      });
    } else if (one.kind === 'accept') {
      if (found?.status === 'invited') service.sandbox.accept(one.email, 'acme');
    } else if (found !== undefined) {
      await service.ask('DELETE', `/organization-memberships/${found.id}`);
    }
  }
}

interface Step {
  readonly action: string;
  readonly id: string | null;
  readonly email: string;
}

function readSteps({ stdout }: RunResult): readonly Step[] {
  return JSON.parse(stdout) as readonly Step[];
}

function isDoable({ action }: Step): boolean {
  return action === 'invite' || action === 'remove';
}

function applying({ prune }: Drawn): readonly string[] {
  return ['members', 'apply', '--file', '-', '--yes', ...(prune ? ['--prune', '--max-removals', '100'] : [])];
}

function planning({ prune }: Drawn): readonly string[] {
  return ['members', 'plan', '--file', '-', '-o', 'json', ...(prune ? ['--prune'] : [])];
}

function countWrites({ requests }: TestService): number {
  return requests.filter(({ method }) => method !== 'GET').length;
}

test('a plan sends no write, and after apply nothing is left to be done', async () => {
  await fc.assert(
    fc.asyncProperty(anyDrawn, async (drawn) => {
      const service = await startService();
      await change(service, drawn.before);
      const stdin = toText(drawn.roster, drawn.format);
      const first = await service.run(planning(drawn), { stdin });
      const steps = readSteps(first);
      expect(service.requests.length).toBeGreaterThan(0);
      expect(countWrites(service)).toBe(0);
      const lacking = steps.filter(({ action }) => action === 'teams-missing');
      expect(first.code, first.stderr).toBe(steps.some(isDoable) || lacking.length > 0 ? 13 : 0);

      const applied = await service.run(applying(drawn), { stdin });
      expect(applied.code, applied.stderr).toBe(lacking.length > 0 ? 13 : 0);
      expect(countWrites(service)).toBe(steps.filter(isDoable).length);

      const second = await service.run(planning(drawn), { stdin });
      const left = readSteps(second);
      expect(left.filter(isDoable)).toEqual([]);
      expect(left.filter(({ action }) => action === 'teams-missing')).toEqual(lacking);
      expect(second.code, second.stderr).toBe(lacking.length > 0 ? 13 : 0);

      const there = (await list(service)).map(({ email }) => foldEmail(email));
      expect(there).toEqual(expect.arrayContaining(drawn.roster.map(({ email }) => foldEmail(email))));
      expect(there).toContain(OWNER);
      if (drawn.prune) {
        expect(there.sort()).toEqual(
          [...new Set([OWNER, ...drawn.roster.map(({ email }) => foldEmail(email))])].sort(),
        );
      }
    }),
    RUNS,
  );
});

test('a roster of who is there plans nothing, whatever is there', async () => {
  await fc.assert(
    fc.asyncProperty(anyDrawn, async (drawn) => {
      const service = await startService();
      await change(service, drawn.before);
      const made = await service.run(['members', 'plan', '--init', ...(drawn.format === 'json' ? ['-o', 'json'] : [])]);
      expect(made.code, made.stderr).toBe(0);
      const plan = await service.run(['members', 'plan', '--file', '-', '--prune', '-o', 'json'], {
        stdin: made.stdout,
      });
      expect({ code: plan.code, steps: readSteps(plan) }).toEqual({ code: 0, steps: [] });
      expect(countWrites(service)).toBe(0);
    }),
    RUNS,
  );
});

test('after a change, apply with the plan that was looked at does what it showed or nothing', async () => {
  const home = createHome();
  let refused = 0;
  let done = 0;
  await fc.assert(
    fc.asyncProperty(anyDrawn, async (drawn) => {
      const service = await startService();
      await change(service, drawn.before);
      const stdin = toText(drawn.roster, drawn.format);
      const shown = await service.run(planning(drawn), { stdin });
      writeFileSync(join(home, 'plan.json'), shown.stdout);
      await change(service, drawn.meanwhile);
      const before = await list(service);
      const sent = countWrites(service);
      const applied = await service.run([...applying(drawn), '--plan', 'plan.json'], { stdin, home });
      const after = await list(service);

      const removals = new Set(readSteps(shown).flatMap(({ action, id }) => (action === 'remove' ? [id] : [])));
      const gone = before.filter(({ id }) => !after.some((other) => other.id === id));
      expect(gone.filter(({ id }) => !removals.has(id))).toEqual([]);
      const invitations = new Set(
        readSteps(shown).flatMap(({ action, email }) => (action === 'invite' ? [email] : [])),
      );
      const come = after.filter(({ id }) => !before.some((other) => other.id === id));
      expect(
        come.filter(({ email }) => ![...invitations].some((other) => foldEmail(other) === foldEmail(email))),
      ).toEqual([]);
      if (applied.code === 2) {
        refused += 1;
        expect(countWrites(service)).toBe(sent);
      } else {
        done += 1;
        expect([0, 13]).toContain(applied.code);
      }
    }),
    // Each end is tried at least once.
    {
      ...RUNS,
      examples: [
        [{ ...ALONE, meanwhile: [{ kind: 'invite', row: { email: 'a@example.com', teams: ['audit'] } }] }],
        [{ ...ALONE, meanwhile: [{ kind: 'remove', email: 'ivan.invitee@example.com' }] }],
      ],
    },
  );
  rmSync(home, { recursive: true, force: true });
  expect(refused).toBeGreaterThan(0);
  expect(done).toBeGreaterThan(0);
});

test('a change between what apply shows and what it does keeps nobody from staying who was not shown as they are', async () => {
  let skipped = 0;
  await fc.assert(
    fc.asyncProperty(anyDrawn, async (random) => {
      const drawn = { ...random, prune: true };
      let armed = false;
      let meanwhile: readonly Listed[] = [];
      const service = await startService({
        async alter(answer, request) {
          const { pathname } = new URL(request.url);
          if (armed && pathname.endsWith('/acme/organization-memberships')) {
            armed = false;
            await change(service, drawn.meanwhile);
            meanwhile = await list(service);
          }
          return answer;
        },
      });
      await change(service, drawn.before);
      const before = await list(service);
      armed = true;
      const { stderr, code } = await service.run(applying(drawn), { stdin: toText(drawn.roster, drawn.format) });
      expect(armed).toBe(false);
      const after = await list(service);
      const gone = meanwhile.filter(({ id }) => !after.some((other) => other.id === id));
      for (const member of gone) {
        // Shown, and when it went still what was shown.
        expect(stderr).toContain(`- remove ${member.email} (${member.status}`);
        expect(member).toEqual(before.find(({ id }) => id === member.id));
      }
      if (stderr.includes('changed after the plan was made')) {
        skipped += 1;
        expect(code).toBe(10);
      }
    }),
    { ...RUNS, examples: [[{ ...ALONE, meanwhile: [{ kind: 'accept', email: 'ivan.invitee@example.com' }] }]] },
  );
  expect(skipped).toBeGreaterThan(0);
});
