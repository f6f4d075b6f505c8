import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/error-codes.ts';
import { EXIT_CODES } from '../../src/exit-codes.ts';
import { readCommandTree } from '../support/command-tree.ts';
import { run } from '../support/run.ts';
import { createHomeOf } from '../support/stored.ts';
import { READING, WRITING } from '../support/verbs.ts';

/** As far as the schemas of results go. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Described {
  readonly command: string;
  readonly effect: string;
  readonly about: string;
  readonly usage: string;
  readonly options: readonly { readonly name: string; readonly value: string | null; readonly required: boolean }[];
  readonly fields: { readonly all: readonly { readonly field: string; readonly with: readonly string[] }[] };
  readonly result: Schema | null;
}

const { stdout, stderr } = await run(['schema']);
const schema = JSON.parse(stdout);
const commands: readonly Described[] = schema.commands;
const find = (name: string) => commands.find(({ command }) => command === name);
const tree = await readCommandTree();

/** Where a value is not as the schema says. */
function listFaults(value: unknown, { type, anyOf, items, properties }: Schema, path = '$'): readonly string[] {
  if (anyOf !== undefined) {
    const each = anyOf.map((one) => listFaults(value, one, path));
    return each.some((faults) => faults.length === 0) ? [] : (each[0] ?? []);
  }
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (type !== undefined && ![type].flat().includes(kind))
    return [`${path} is ${kind}, not ${[type].flat().join(' or ')}`];
  if (Array.isArray(value)) return value.flatMap((each, at) => listFaults(each, items ?? {}, `${path}[${at}]`));
  if (kind !== 'object') return [];
  return Object.entries(value as object).flatMap(([name, member]) =>
    listFaults(member, properties?.[name] ?? {}, `${path}.${name}`),
  );
}

const EARLIER = 'earlier.csv';
/** A report of one who left. */
const GONE = `organization.id,email,user.username,status,owner,teams.name,user.two-factor.enabled,user.auth-method,user.is-service-account,created-at,id\nacme,gone@example.com,gone,active,false,platform,true,tfc,false,2026-01-01T00:00:00.000Z,ou-gone\n`;

/** Where a value has what the schema does not name, though it names what else is there. */
function listUnknown(value: unknown, { anyOf, items, properties }: Schema, path = ''): readonly string[] {
  if (anyOf !== undefined) {
    const fitting = anyOf.find(({ type }) => (type === 'array') === Array.isArray(value));
    return listUnknown(value, fitting ?? {}, path);
  }
  if (Array.isArray(value)) return [...new Set(value.flatMap((each) => listUnknown(each, items ?? {}, path)))];
  if (value === null || typeof value !== 'object' || properties === undefined) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const below = properties[name];
    return below === undefined ? [`${path}${name}`] : listUnknown(member, below, `${path}${name}.`);
  });
}

describe('orgctl schema', () => {
  test('describes every command but help, and says nothing else', () => {
    expect(stderr).toBe('');
    expect(commands.map(({ command }) => command).sort()).toEqual(tree.verbs.filter((name) => name !== 'help').sort());
    expect(schema.exits.map(({ code }: { code: number }) => code)).toEqual(
      Object.values(EXIT_CODES).map(({ code }) => code),
    );
    expect(find('members invite')).toMatchObject({ effect: 'writes', about: 'organizations' });
    expect(find('members list')?.options).toContainEqual(
      expect.objectContaining({ name: '--search', short: '-s', value: '<text>' }),
    );
    expect(find('members list')?.options).toContainEqual(
      expect.objectContaining({ name: '--status', choices: null, suggested: ['active', 'inactive', 'invited'] }),
    );
  });

  test.each([
    [{}, 'confirmation-needed'],
    [{ ORGCTL_READ_ONLY: '1' }, 'read-only'],
  ])('with %j a removal is refused by the code %s', async (env, code) => {
    const yes = code === 'read-only' ? ['--yes'] : [];
    const argv = ['--sandbox', 'providers', 'delete', 'public/hashicorp/aws', '-o', 'json', ...yes];
    const refused = await run(argv, { env });
    expect(JSON.parse(refused.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({ error: { code, exit: 2 } });
  });

  test('takes a command as it names it, in one word', async () => {
    const apart = await run(['schema', 'members', 'list']);
    expect(await run(['schema', 'members list'])).toEqual(apart);
    expect(apart.code).toBe(0);
  });

  const DEMANDING = commands.filter(({ options }) => options.some(({ required }) => required));

  test.each(DEMANDING)('$command is refused without the options that it requires', async ({ command, options }) => {
    const required = options.filter((option) => option.required).map(({ name }) => name);
    const argv = WRITING[command]?.argv ?? READING[command] ?? [];
    const args = argv.slice(
      0,
      argv.findIndex((word) => word.startsWith('--')),
    );
    const refused = await run(['--sandbox', ...command.split(' '), ...args]);
    expect({ ...refused, stderr: '' }).toEqual({ code: 2, stdout: '', stderr: '' });
    expect(refused.stderr).toMatch(new RegExp(`^orgctl: missing ${required.join('.* and ')}\\b`));
  });

  test.each([
    ['audit-token rotate', '--to <place> --expires <when> [options]'],
    ['tokens rotate', '<token> --to <place> --expires <when> [options]'],
    ['members invite', '(<email...> --team <teams> | --file <path>) [options]'],
    ['members remove', '(<member...> | --file <path>) [options]'],
    ['members plan', '(--file <path> | --init | --schema) [options]'],
    ['members apply', '--file <path> [options]'],
    ['providers get', '(<address> | --name <name>) [options]'],
    ['providers publish', '<address> <version> --dir <folder> [options]'],
    ['completion', '<shell>'],
    ['version', ''],
  ])('the usage of %s says what it needs', (command, taken) =>
    expect(find(command)?.usage).toBe(`orgctl ${command} ${taken}`.trimEnd()),
  );

  const WRITES = Object.entries(WRITING).map(([words, { argv }]) => [words, [...argv, '--yes']] as const);
  test.each([...Object.entries(READING), ...WRITES])('what %s prints is as its schema says', async (words, argv) => {
    const { result } = find(words) ?? {};
    const caller = words.startsWith('audit-trail') ? ['--as', 'audit-token'] : [];
    const printed = await run(['--sandbox', ...caller, ...words.split(' '), ...argv, '-o', 'json']);
    if (result == null || printed.stdout === '') return;
    expect(listFaults(JSON.parse(printed.stdout), result), printed.stdout).toEqual([]);
  });

  /** Options, or arguments, that decide what is printed. */
  const SEVERAL = commands
    .filter(({ command, about }) => about === 'organizations' && READING[command] !== undefined)
    .map(({ command }) => [command, [...(READING[command] ?? []), '--all-orgs'], '--all-orgs'] as const);
  const PLACES = [
    '--expires',
    'never',
    '--to',
    "exec:/bin/sh -c 'cat' {org}",
    '--all-orgs',
    '--create-missing',
    '--yes',
  ];
  const OTHERS: readonly (readonly [words: string, argv: readonly string[], needs: string])[] = [
    ...SEVERAL,
    ['members report', ['--against', EARLIER], '--against'],
    ['feature-sets compare', ['plus', 'premium'], '[plans...]'],
    ['doctor', ['--assumptions'], '--assumptions'],
    ['audit-token rotate', PLACES, '--all-orgs'],
    ['tokens rotate', ['organization', ...PLACES], '--all-orgs'],
    ['teams remove', ['platform', 'ivan.invitee@example.com', '--all-orgs', '--yes'], '--all-orgs'],
  ];
  const CALLS: readonly (readonly [words: string, argv: readonly string[], needs: string])[] = [
    ...[...Object.entries(READING), ...WRITES].map(([words, argv]) => [words, argv, ''] as const),
    ...OTHERS,
  ];

  test.each(CALLS)('what %s %j prints is in its schema, and --fields takes all that is', async (words, argv, needs) => {
    const { fields, result } = find(words) ?? {};
    if (fields === undefined || result == null) return;
    const options = () => {
      const home = createHomeOf({});
      writeFileSync(join(home, EARLIER), GONE);
      return { home };
    };
    const caller = words.startsWith('audit-trail') ? ['--as', 'audit-token'] : [];
    const call = ['--sandbox', ...caller, ...words.split(' '), ...argv, '-o', 'json'];
    const printed = await run(call, options());
    expect(listUnknown(JSON.parse(printed.stdout), result)).toEqual([]);
    const helped = await run([...call, '--fields', 'help'], options());
    expect(JSON.parse(helped.stdout).filter(({ meaning }: { meaning: string }) => meaning === '')).toEqual([]);
    const listed = JSON.parse(helped.stdout).map(({ field }: { field: string }) => field);
    const inSchema = fields.all.filter((each) => (needs === '' ? each.with.length === 0 : listed.includes(each.field)));
    expect(inSchema.map(({ field }) => field).sort()).toEqual([...listed].sort());
    expect(inSchema.every((each) => each.with.length === 0 || each.with.includes(needs))).toBe(true);
    const chosen = await run([...call, '--fields', listed.join(',')], options());
    expect(chosen).toMatchObject({ code: printed.code, stderr: expect.not.stringContaining('unknown field') });
    for (const row of [JSON.parse(chosen.stdout)].flat()) expect(Object.keys(row)).toEqual(listed);
  });

  test('a fault of a result is seen', () => {
    const { result } = find('members list') ?? {};
    expect(listFaults([{ id: 'ou-1', email: 7, teams: [{ name: true }] }], result ?? {})).toEqual([
      '$[0].email is number, not string or null',
      '$[0].teams[0].name is boolean, not string or null',
    ]);
  });
});
