import { describe, expect, it } from 'vitest';
import { OrgctlError } from '../../../src/old/errors.ts';
import type { AnyColumns } from '../../../src/old/stdout/columns.ts';
import type { FlatRecord } from '../../../src/old/stdout/flatten.ts';
import { FORMAT_NAMES, FORMATS, type FormatName } from '../../../src/old/stdout/formats/index.ts';
import { type OutputOptions, openOutput } from '../../../src/old/stdout/output.ts';
import type { Listed, ListSource, Page, WriteResult } from '../../../src/old/stdout/result.ts';

import { ClosedPipe } from '../../../src/old/text/write.ts';
import type { Resource } from '../../../src/old/wire/json-api.ts';
import { captureStream } from '../../support/streams.ts';

type Item = Listed<FlatRecord>;

const memberships: AnyColumns = {
  name: 'memberships',
  shown: ['id', 'status', 'user.username', 'teams'],
  fields: ['email', 'created-at', 'user', 'teams.name'],
  shape: 'resource',
  times: ['created-at'],
};
const events: AnyColumns = {
  name: 'events',
  shown: ['timestamp', 'resource.type'],
  fields: ['auth.description'],
  shape: 'record',
};

const ana: Resource = {
  id: 'ou-1',
  type: 'organization-memberships',
  attributes: { status: 'active', 'created-at': '2026-11-21T08:15:00Z', 'two-factor': { enabled: true }, odd: null },
  relationships: {
    user: { data: { id: 'user-1', type: 'users' } },
    teams: { data: ['team-1', 'team-2'].map((id) => ({ id, type: 'teams' })) },
  },
};
const bo: Resource = {
  id: 'ou-2',
  type: 'organization-memberships',
  attributes: { status: 'in\tvi\u009bted' },
  relationships: { user: { data: null }, teams: { data: [] } },
};
const included: Resource[] = [
  { id: 'user-1', type: 'users', attributes: { username: 'ana' } },
  { id: 'team-1', type: 'teams', attributes: { name: 'owners' } },
];
const anaFlat = {
  id: 'ou-1',
  type: 'organization-memberships',
  status: 'active',
  'created-at': '2026-11-21T08:15:00Z',
  'two-factor': { enabled: true },
  odd: null,
  user: { id: 'user-1', type: 'users', username: 'ana' },
  teams: [
    { id: 'team-1', type: 'teams', name: 'owners' },
    { id: 'team-2', type: 'teams' },
  ],
};
const boFlat = { id: 'ou-2', type: 'organization-memberships', status: 'in\tvi\u009bted', user: null, teams: [] };

const toPage = (items: readonly Resource[]): Page<Item> => ({ items, included: items.includes(ana) ? included : [] });

function toSource(pages: readonly Page<Item>[], failure?: Error): ListSource<Item> {
  return {
    async *read(way, keep) {
      if (way === 'whole' && failure !== undefined) throw failure;
      for (const page of pages) yield await keep(page);
      if (failure !== undefined) throw failure;
    },
  };
}

async function start(
  name: FormatName,
  fields?: readonly string[],
  rest: Omit<Partial<OutputOptions>, 'command'> & { readonly stdout?: ReturnType<typeof captureStream> } = {},
) {
  const stdout = captureStream();
  const host = { env: {}, now: () => Date.parse('2026-11-21T08:18:00Z') };
  const command = 'orgctl members list';
  const options = { host, stdout, format: FORMATS[name], fields, noColor: true, command, ...rest };
  return { output: await openOutput(options), stdout };
}

const PICKED = [{ 'teams.name': ['owners', null], id: 'ou-1' }].concat({ 'teams.name': [], id: 'ou-2' });

/** What a format prints, as text, and as the value it means. */
const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`.replaceAll('\u009b', '\\u009b');
const lines = (values: readonly unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`.replaceAll('\u009b', '\\u009b')).join('');

describe('list', () => {
  const pages = [toPage([ana]), toPage([bo])];

  it.each<[FormatName, string, string, string]>([
    [
      'table',
      '',
      `ID    STATUS  USERNAME  TEAMS
ou-1  active  ana       owners, team-2
`,
      `ID    STATUS   USERNAME  TEAMS
ou-1  active   ana       owners, team-2
ou-2  in vied
`,
    ],
    ['tsv', '', 'ou-1\tactive\tana\towners,team-2\n', 'ou-1\tactive\tana\towners,team-2\nou-2\tin\\tvied\t\t\n'],
    [
      'csv',
      'id,status,user.username,teams\r\n',
      'id,status,user.username,teams\r\nou-1,active,ana,"owners,team-2"\r\n',
      'id,status,user.username,teams\r\nou-1,active,ana,"owners,team-2"\r\nou-2,"in\tvied",,\r\n',
    ],
    [
      'markdown',
      'No memberships.\n',
      '| ID | STATUS | USERNAME | TEAMS |\n| --- | --- | --- | --- |\n| ou-1 | active | ana | owners, team-2 |\n',
      '| ID | STATUS | USERNAME | TEAMS |\n| --- | --- | --- | --- |\n| ou-1 | active | ana | owners, team-2 |\n| ou-2 | in vied |  |  |\n',
    ],
    ['json', '[]\n', pretty([anaFlat]), pretty([anaFlat, boFlat])],
    ['ndjson', '', lines([anaFlat]), lines([anaFlat, boFlat])],
  ])('%s of none, one and several', async (format, none, one, several) => {
    for (const [source, text] of [
      [toSource([toPage([])]), none],
      [toSource([]), none],
      [toSource(pages.slice(0, 1)), one],
      [toSource(pages), several],
      [toSource([toPage([ana, bo])]), several],
    ] as const) {
      const { output, stdout } = await start(format);
      await output.list(memberships, source);
      expect(stdout.text()).toBe(text);
    }
  });

  it.each<[FormatName, string]>([
    ['tsv', 'owners,\tou-1\n\tou-2\n'],
    ['csv', 'teams.name,id\r\n"owners,",ou-1\r\n,ou-2\r\n'],
    ['markdown', '| TEAMS | ID |\n| --- | --- |\n| owners, | ou-1 |\n|  | ou-2 |\n'],
    ['json', pretty(PICKED)],
    ['ndjson', lines(PICKED)],
  ])('%s of chosen fields, in the order asked', async (format, text) => {
    const { output, stdout } = await start(format, ['teams.name', 'id']);
    await output.list(memberships, toSource(pages));
    expect(stdout.text()).toBe(text);
  });

  it('has instants relative in a table, absolute in what is kept, and as they came elsewhere', async () => {
    const { output, stdout } = await start('table', ['created-at']);
    await output.list(memberships, toSource(pages));
    expect(stdout.text()).toBe('CREATED-AT\ntoday\n\n');
    const tsv = await start('tsv', ['created-at']);
    await tsv.output.list(memberships, toSource(pages));
    expect(tsv.stdout.text()).toBe('2026-11-21T08:15:00Z\n\n');
    const markdown = await start('markdown', ['created-at']);
    await markdown.output.list(memberships, toSource(pages));
    expect(markdown.stdout.text()).toBe('| CREATED-AT |\n| --- |\n| 2026-11-21 08:15 UTC |\n|  |\n');
  });

  it('takes records as they are', async () => {
    const resource = { id: 'r', type: 'token' };
    const event = { timestamp: 't', type: 'Resource', id: 'e', attributes: { a: 1 }, resource };
    const page: Page<Item> = {
      items: [event],
      included: [],
    };
    for (const [format, text] of [
      ['json', pretty([event])],
      ['tsv', 't\ttoken\n'],
    ] as const) {
      const { output, stdout } = await start(format);
      await output.list(events, toSource([page]));
      expect(stdout.text()).toBe(text);
    }
  });

  describe('an inconsistent list', () => {
    const failure = new OrgctlError('incomplete', 'the list changed while it was read');

    it.each<[FormatName, string]>([
      ['table', ''],
      ['json', ''],
      ['markdown', ''],
      ['ndjson', lines([anaFlat])],
      ['tsv', 'ou-1\tactive\tana\towners,team-2\n'],
      ['csv', 'id,status,user.username,teams\r\nou-1,active,ana,"owners,team-2"\r\n'],
    ])('%s prints what it may', async (format, text) => {
      const { output, stdout } = await start(format, undefined, { noteEmpty: () => expect.unreachable() });
      await expect(output.list(memberships, toSource([toPage([ana])], failure))).rejects.toBe(failure);
      expect(stdout.text()).toBe(text);
    });

    it.each(FORMAT_NAMES)('%s prints nothing of a list that fails at once', async (format) => {
      const { output, stdout } = await start(format);
      await expect(output.list(memberships, toSource([], failure))).rejects.toBe(failure);
      expect(stdout.text()).toBe('');
    });
  });

  describe('an unknown field', () => {
    it.each(FORMAT_NAMES)('%s refuses it before printing', async (format) => {
      for (const source of [toSource([]), toSource([toPage([])]), toSource([toPage([ana])])]) {
        const { output, stdout } = await start(format, ['id', 'nope']);
        await expect(output.list(memberships, source)).rejects.toThrow('unknown field: nope');
        expect(stdout.text()).toBe('');
      }
    });

    it('is known when the data has it', async () => {
      const { output, stdout } = await start('tsv', ['two-factor.enabled', 'user.id']);
      await output.list(memberships, toSource([toPage([ana])]));
      expect(stdout.text()).toBe('true\tuser-1\n');
    });
  });

  it.each<[FormatName, boolean]>([
    ['table', true],
    ['tsv', true],
    ['ndjson', true],
    ['csv', false],
    ['json', false],
    ['markdown', false],
  ])('%s leaves an empty list to be noted: %s', async (format, isNoted) => {
    for (const source of [toSource([]), toSource([toPage([])])]) {
      const noted: string[] = [];
      const noteEmpty = async ({ name }: AnyColumns) => void noted.push(name);
      await (await start(format, undefined, { noteEmpty })).output.list(memberships, source);
      expect(noted).toEqual(isNoted ? ['memberships'] : []);
    }
  });

  it.each<FormatName>(['ndjson', 'tsv', 'csv'])(
    '%s writes each page by one call, and asks for the next when it is written',
    async (format) => {
      const events: string[] = [];
      const stdout = captureStream({ highWaterMark: 1, onWrite: () => events.push('written') });
      const source: ListSource<Item> = {
        async *read(_way, keep) {
          for (let page = 1; page <= 3; page += 1) {
            events.push(`page ${page}`);
            yield await keep(toPage([ana, bo]));
            expect(stdout.writableLength).toBe(0);
          }
        },
      };
      await (await start(format, undefined, { stdout })).output.list(memberships, source);
      expect(events).toEqual(['page 1', 'written', 'page 2', 'written', 'page 3', 'written']);
    },
  );

  it('gives the event loop a turn between pages', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      if (turns < 100) setImmediate(count);
    };
    setImmediate(count);
    const seen: number[] = [];
    const source: ListSource<Item> = {
      async *read(_way, keep) {
        for (let page = 0; page < 3; page += 1) {
          seen.push(turns);
          yield await keep(toPage([]));
        }
      },
    };
    await (await start('ndjson')).output.list(memberships, source);
    expect(new Set(seen).size).toBe(3);
  });

  it('writes a long json list in pieces', async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({ id: `${index}`, type: 'things' }));
    const { output, stdout } = await start('json');
    await output.list({ ...memberships, shown: ['id'] }, toSource(Array.from({ length: 50 }, () => toPage(items))));
    expect(stdout.pieces).toHaveLength(51);
    expect(JSON.parse(stdout.text())).toHaveLength(5000);
  });

  it.each(FORMAT_NAMES)('%s lets nothing through that a terminal would obey', async (format) => {
    const hostile = 'a\u001b]0;t\u0007\u001b[2J\u009b1m\u202e\u2066b\u007f';
    const resource: Resource = { id: hostile, type: hostile, attributes: { [hostile]: hostile, status: [hostile] } };
    for (const call of ['list', 'one'] as const) {
      const { output, stdout } = await start(format);
      if (call === 'list') await output.list(memberships, toSource([toPage([resource])]));
      else await output.one(memberships, { data: resource });
      expect(stdout.text()).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e\u2066]/);
      if (FORMATS[format].forPrograms)
        expect(JSON.stringify(JSON.parse(stdout.text()))).toContain(JSON.stringify(hostile));
    }
  });
});

describe('one', () => {
  const document = { data: ana, included, meta: { a: 1 } };

  it.each<[FormatName, string]>([
    [
      'table',
      `id:                  ou-1
type:                organization-memberships
status:              active
created-at:          today (2026-11-21 08:15 UTC)
two-factor.enabled:  true
user:                ana
teams:               owners, team-2
source:              local-record
`,
    ],
    [
      'markdown',
      `| FIELD | VALUE |
| --- | --- |
| id | ou-1 |
| type | organization-memberships |
| status | active |
| created-at | 2026-11-21 08:15 UTC |
| two-factor.enabled | true |
| user | ana |
| teams | owners, team-2 |
| source | local-record |
`,
    ],
    ['tsv', 'ou-1\tactive\tana\towners,team-2\tlocal-record\n'],
    ['csv', 'id,status,user.username,teams,source\r\nou-1,active,ana,"owners,team-2",local-record\r\n'],
    ['json', pretty({ ...anaFlat, source: 'local-record' })],
    ['ndjson', lines([{ ...anaFlat, source: 'local-record' }])],
  ])('%s', async (format, text) => {
    const { output, stdout } = await start(format);
    await output.one(memberships, document, { source: 'local-record' });
    expect(stdout.text()).toBe(text);
  });

  it.each<[FormatName, string]>([
    ['tsv', 'ana\tx\n'],
    ['csv', 'user.username,source\r\nana,x\r\n'],
    ['json', pretty({ 'user.username': 'ana', source: 'x' })],
    ['ndjson', '{"user.username":"ana","source":"x"}\n'],
  ])('%s of chosen fields', async (format, text) => {
    const { output, stdout } = await start(format, ['user.username', 'source']);
    await output.one(memberships, document, { source: 'x' });
    expect(stdout.text()).toBe(text);
  });

  it('takes a record as it is', async () => {
    const table = 'id:            1\nattributes.a:  2\nextra:         true\n';
    const json = pretty({ id: 1, attributes: { a: 2 }, extra: true });
    for (const [format, text] of Object.entries({ json, table })) {
      const { output, stdout } = await start(format as FormatName);
      await output.one(events, { id: 1, attributes: { a: 2 } }, { extra: true });
      expect(stdout.text()).toBe(text);
    }
  });

  it('refuses an unknown field, and prints an absent thing', async () => {
    const { output, stdout } = await start('json', ['nope']);
    await expect(output.one(memberships, document)).rejects.toThrow('unknown field: nope');
    expect(stdout.text()).toBe('');
    const absent = await start('json');
    await absent.output.one(memberships, { data: null });
    expect(absent.stdout.text()).toBe('{}\n');
  });
});

describe('changed', () => {
  const created = { resource: ana, included, extra: { changed: true } };
  const gone = { resource: { type: 'organization-memberships', id: 'ou-9' }, extra: { changed: true } };
  const goneFlat = { id: 'ou-9', type: 'organization-memberships', changed: true };

  it.each<[FormatName, string, string]>([
    ['tsv', 'ou-1\tactive\tana\towners,team-2\ttrue\n', 'ou-9\t\t\t\ttrue\n'],
    [
      'csv',
      'id,status,user.username,teams,changed\r\nou-1,active,ana,"owners,team-2",true\r\n',
      'id,status,user.username,teams,changed\r\nou-9,,,,true\r\n',
    ],
    ['json', pretty({ ...anaFlat, changed: true }), pretty(goneFlat)],
    ['ndjson', lines([{ ...anaFlat, changed: true }]), lines([goneFlat])],
  ])('%s of a 201 and of a 204', async (format, ofCreated, ofGone) => {
    for (const [result, text] of [
      [created, ofCreated],
      [gone, ofGone],
    ] as const) {
      const { output, stdout } = await start(format);
      await output.changed(memberships, result);
      expect(stdout.text()).toBe(text);
    }
  });

  it('never refuses: the write has happened', async () => {
    const { output, stdout } = await start('json', ['nope', 'id']);
    await output.changed(memberships, gone);
    expect(stdout.text()).toBe(pretty({ nope: null, id: 'ou-9' }));
  });
});

describe('changedMany', () => {
  const columns = { ...memberships, shown: ['id', 'status', 'changed', 'error.code'] };
  const type = 'organization-memberships';
  const made = { resource: ana, included, extra: { changed: true } };
  const gone = { resource: { type, id: 'ou-9' }, included, extra: { changed: false, 'teams-missing': ['ops', 'dev'] } };
  const failed = { resource: { type, id: null }, extra: { changed: false, error: { code: 'rejected' } } };
  const goneFlat = { id: 'ou-9', type, ...gone.extra };
  const failedFlat = { id: null, type, ...failed.extra };

  async function* inTurn(results: readonly WriteResult<FlatRecord>[], onTake: () => void = () => undefined) {
    for (const result of results) {
      onTake();
      yield result;
    }
  }

  it.each<[FormatName, string, string]>([
    [
      'table',
      '',
      `ID    STATUS  CHANGED  ERROR
ou-1  active  true
ou-9          false
              false    rejected
`,
    ],
    ['tsv', '', 'ou-1\tactive\ttrue\t\nou-9\t\tfalse\t\n\t\tfalse\trejected\n'],
    [
      'csv',
      'id,status,changed,error.code\r\n',
      'id,status,changed,error.code\r\nou-1,active,true,\r\nou-9,,false,\r\n,,false,rejected\r\n',
    ],
    ['json', '[]\n', pretty([{ ...anaFlat, changed: true }, goneFlat, failedFlat])],
    ['ndjson', '', lines([{ ...anaFlat, changed: true }, goneFlat, failedFlat])],
  ])('%s of none and of several', async (format, none, several) => {
    for (const [results, text] of [
      [[], none],
      [[made, gone, failed], several],
    ] as const) {
      const { output, stdout } = await start(format, undefined, { noteEmpty: () => expect.unreachable() });
      await output.changedMany(columns, inTurn(results));
      expect(stdout.text()).toBe(text);
    }
  });

  it.each(FORMAT_NAMES.filter((name) => FORMATS[name].inTurn))('%s is printed one by one', async (format) => {
    const { stdout, output } = await start(format);
    const seen: number[] = [];
    const results = inTurn([made, gone, failed], () => seen.push(stdout.pieces.length));
    await output.changedMany(columns, results);
    expect(seen).toEqual([0, 1, 2]);
  });

  it('has the chosen fields in their order', async () => {
    const { stdout, output } = await start('tsv', ['error.code', 'id']);
    await output.changedMany(columns, inTurn([made, failed]));
    expect(stdout.text()).toBe('\tou-1\nrejected\t\n');
  });
});

describe('checkFields', () => {
  it('knows the columns, and that every write says whether it changed something', async () => {
    (await start('json')).output.checkFields(memberships);
    (await start('json', [])).output.checkFields(memberships);
    (await start('json', ['id', 'email', 'teams.name', 'changed'])).output.checkFields(memberships);
    const { output } = await start('table', ['user.email']);
    expect(() => output.checkFields(memberships)).toThrow('unknown field: user.email');
  });
});

describe('raw', () => {
  it.each(FORMAT_NAMES)('%s: exactly the text and one newline', async (format) => {
    const { output, stdout } = await start(format);
    await output.raw('secret.atlasv1.text');
    expect(stdout.pieces).toEqual(['secret.atlasv1.text\n']);
  });
});

describe('a closed pipe', () => {
  const closed = () => {
    const stdout = captureStream();
    stdout.destroy();
    return stdout;
  };
  const result = { resource: ana, extra: { changed: true } };

  it.each(FORMAT_NAMES)('%s rejects with ClosedPipe', async (format) => {
    async function* results() {
      yield result;
    }
    const open = async () => (await start(format, undefined, { stdout: closed() })).output;
    await expect((await open()).list(memberships, toSource([toPage([ana])]))).rejects.toThrow(ClosedPipe);
    await expect((await open()).one(memberships, { data: ana })).rejects.toThrow(ClosedPipe);
    await expect((await open()).changed(memberships, result)).rejects.toThrow(ClosedPipe);
    await expect((await open()).changedMany(memberships, results())).rejects.toThrow(ClosedPipe);
    await expect((await open()).raw('secret')).rejects.toThrow(ClosedPipe);
  });
});
