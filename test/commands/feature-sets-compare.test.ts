import { describe, expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../src/stdout/formats/index.ts';
import { FEATURE_SETS, toJsonText } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import { startService } from '../support/service.ts';

async function run(argv: string) {
  const service = await startService();
  const { plain, real } = await createNames(service.sandbox);
  const result = await service.run(real(`feature-sets compare ${argv}`.trim()).split(' '));
  return {
    result: { ...result, stdout: plain(result.stdout), stderr: plain(result.stderr) },
    paths: service.requests.map(({ path }) => path.replace('/api/v2', '')),
  };
}

const FREE = { id: 'fs-free', identifier: 'free', name: 'Free', difference: 'differs' };
const PREMIUM = { id: 'fs-premium', identifier: 'premium', name: 'Premium', difference: 'differs' };
const LIMITS = [
  { ...FREE, attribute: 'policy-limit', everybody: null, organization: 5 },
  { ...FREE, attribute: 'policy-set-limit', everybody: null, organization: 1 },
  { ...FREE, attribute: 'policy-mandatory-enforcement-limit', everybody: null, organization: 1 },
  { ...FREE, attribute: 'versioned-policy-set-limit', everybody: null, organization: 0 },
  { ...FREE, attribute: 'run-task-limit', everybody: null, organization: 1 },
  { ...FREE, attribute: 'run-task-workspace-limit', everybody: null, organization: 10 },
  { ...FREE, attribute: 'run-task-mandatory-enforcement-limit', everybody: null, organization: 1 },
];
const CEILINGS = [
  { ...PREMIUM, attribute: 'default-agents-ceiling', everybody: 100, organization: 50 },
  { ...PREMIUM, attribute: 'default-runs-ceiling', everybody: 200, organization: 100 },
];

/** The same value by the name that clashes with no organization elsewhere. */
const withOffered = (rows: readonly { readonly organization: unknown }[]) =>
  rows.map((row) => ({ ...row, offered: row.organization }));

describe('what an organization is offered, against what there is', () => {
  test('the limits that differ', async () => {
    const { result, paths } = await run('-o json');
    expect(result).toEqual({ code: 0, stdout: toJsonText(withOffered([...LIMITS, ...CEILINGS])), stderr: '' });
    expect(paths.toSorted()).toEqual(['/feature-sets', '/organizations/acme/feature-sets']);
  });

  test('at a terminal only a limit that is null is none', async () => {
    const { result } = await run('free plus -o table');
    expect(result.stdout).toMatch(/^user-limit +5 +no limit$/m);
    expect(result.stdout).toMatch(/^audit-logging +no +yes$/m);
    expect(result.stdout).toMatch(/^plan {2,}plan_\S+$/m);
  });

  test('what it may not see', async () => {
    const { result } = await run('--org globex -o json');
    const trial = {
      id: 'fs-trial',
      identifier: 'trial',
      name: 'Trial',
      difference: 'not-offered',
      attribute: null,
      everybody: null,
      organization: null,
    };
    expect(result).toEqual({ code: 0, stdout: toJsonText(withOffered([...LIMITS, trial, ...CEILINGS])), stderr: '' });
  });

  test('what only it may see', async () => {
    const service = await startService({
      async alter(answer, request) {
        if (!new URL(request.url).pathname.endsWith('/v2/feature-sets')) return answer;
        const { data } = (await answer.json()) as { data: unknown[] };
        return Response.json({ data: data.slice(1) });
      },
    });
    const fields = ['--fields', 'identifier,difference,attribute'];
    const result = await service.run(['feature-sets', 'compare', ...fields]);
    expect(result.stdout.split('\n').at(-2)).toBe('free\tnot-listed\t');
  });

  test('nothing differs: an empty list, exit 0', async () => {
    const service = await startService({
      alter: () => Response.json({ data: [{ id: 'fs-1', type: 'feature-sets', attributes: { name: 'One' } }] }),
    });
    expect(await service.run(['feature-sets', 'compare', '-o', 'json'])).toEqual({
      code: 0,
      stdout: '[]\n',
      stderr: '',
    });
  });

  test('one list that cannot be read: nothing is printed', async () => {
    const { result } = await run('--org umbrella');
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 5, stdout: '' });
  });
});

describe('two feature sets', () => {
  test('differ in these attributes only, after their ids', async () => {
    const { result, paths } = await run('fs-free fs-premium -o json');
    const [free, premium] = [0, 5].map((index) => FEATURE_SETS[index]?.['attributes'] as Record<string, unknown>);
    const names = Object.keys(free ?? {}).filter((name) => free?.[name] !== premium?.[name]);
    expect(names).toContain('cost');
    expect(names).not.toContain('sentinel');
    const rows = names.map((attribute) => ({ attribute, first: free?.[attribute], second: premium?.[attribute] }));
    expect(result).toEqual({
      code: 0,
      stdout: toJsonText([{ attribute: 'id', first: 'fs-free', second: 'fs-premium' }, ...rows]),
      stderr: '',
    });
    expect(paths).toEqual(['/feature-sets']);
  });

  test('as an organization is offered them, where --org names one', async () => {
    const { result, paths } = await run('fs-plus fs-premium --org acme');
    expect(result.code).toBe(0);
    expect(result.stdout).toContain('default-agents-ceiling\t20\t50\n');
    expect(paths).toEqual(['/organizations/acme/feature-sets']);
  });

  test.each(FORMAT_NAMES)('in %s', async (format) => {
    const { result } = await run(`fs-free fs-premium -o ${format}`);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(result.stdout).toContain('default-runs-ceiling');
  });

  test('people read prices, and not that the two have other ids and names', async () => {
    const { result } = await run('fs-plus fs-premium -o table');
    expect(result.stdout).toMatch(/^cost +\$70\.00 +\$140\.50$/m);
    expect(result.stdout).not.toMatch(/^(?:id|identifier|name) /m);
  });

  test('by name, where one plan has it', async () => {
    const { result } = await run('plus Premium --org acme');
    expect(result.code).toBe(0);
    expect(result.stdout).toContain('default-agents-ceiling\t20\t50\n');
  });

  test('by a name that two plans have: exit 5, with their ids', async () => {
    const { result } = await run('free standard');
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 5, stdout: '' });
    expect(result.stderr).toContain(`orgctl: 2 plans are called standard
  fs-standard is Standard.
  fs-standard-2 is Standard.
  → Use one of these ids.
`);
  });

  test('one that is not there: exit 5, with those that are', async () => {
    const { result } = await run('fs-free fs-nope');
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 5, stdout: '' });
    expect(result.stderr).toContain(`orgctl: no plan fs-nope
  fs-free is Free.
  fs-trial is Trial.
  fs-standard is Standard.
  fs-standard-2 is Standard.
  fs-plus is Plus.
  fs-premium is Premium.
  → Use one of these names or ids.
`);
    expect((await run('fs-free fs-trial --org globex')).result.code).toBe(5);
  });

  test.each([
    ['fs-free', "can't compare 1 plan"],
    ['fs-free fs-plus fs-premium', "can't compare 3 plans"],
    ['fs-free fs-free', 'fs-free is given twice'],
  ])('"%s" is refused before anything is sent', async (ids, why) => {
    const { result, paths } = await run(ids);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 2, stdout: '' });
    expect(result.stderr).toContain(`orgctl: ${why}\n`);
    expect(paths).toEqual([]);
  });
});
