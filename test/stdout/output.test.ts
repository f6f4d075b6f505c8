import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { OrgctlError, UsageError } from '../../src/errors.ts';
import { FORMATS, type Format } from '../../src/format.ts';
import type { Host, HostOutput } from '../../src/host.ts';
import type { Columns } from '../../src/stdout/columns.ts';
import { createOutput, type ListSource, type OutputOptions, type Page } from '../../src/stdout/output.ts';
import { createStyle } from '../../src/text/style.ts';
import { ClosedPipe } from '../../src/text/write.ts';
import type { Resource } from '../../src/wire/json-api.ts';
import { captureStream } from '../support/streams.ts';

const memberships: Columns = {
  name: 'memberships',
  shown: ['id', 'status', 'user.username', 'teams'],
  fields: ['email', 'created-at', 'user', 'teams.name'],
  shape: 'resource',
  times: ['created-at'],
};
const events: Columns = {
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
    teams: {
      data: [
        { id: 'team-1', type: 'teams' },
        { id: 'team-2', type: 'teams' },
      ],
    },
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

const toPage = (items: readonly Resource[], rest: object = {}): Page => {
  const own = items.includes(ana) ? included : [];
  return { items, included: own, document: { data: items, ...(own.length > 0 ? { included: own } : {}), ...rest } };
};

function toSource(pages: readonly Page[], failure?: Error): ListSource {
  return {
    async *stream() {
      yield* pages;
      if (failure !== undefined) throw failure;
    },
    async collect(keep) {
      if (failure !== undefined) throw failure;
      return pages.map(keep);
    },
  };
}

function start(format: Format, fields?: readonly string[], rest: Partial<OutputOptions> = {}) {
  const stdout = captureStream();
  const stderr = captureStream();
  const style = createStyle({ env: {} } as unknown as Host, stdout, true);
  const now = () => Date.parse('2026-11-21T08:18:00Z');
  const options = {
    stdout,
    stderr,
    format,
    style,
    now,
    timeZone: 'UTC',
    ...(fields === undefined ? {} : { fields }),
    ...rest,
  };
  return { output: createOutput(options), stdout, stderr };
}

/** What a format prints, as text, and as the value it means. */
const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`.replaceAll('\u009b', '\\u009b');
const lines = (values: readonly unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`.replaceAll('\u009b', '\\u009b')).join('');

describe('list', () => {
  const pages = [toPage([ana]), toPage([bo], { links: { self: '/2' } })];

  it.each<[Format, string, string, string]>([
    [
      'table',
      '',
      `┌──────┬────────┬───────────────┬───────────────┐
│ id   │ status │ user.username │ teams         │
├──────┼────────┼───────────────┼───────────────┤
│ ou-1 │ active │ ana           │ owners,team-2 │
└──────┴────────┴───────────────┴───────────────┘
`,
      `┌──────┬─────────┬───────────────┬───────────────┐
│ id   │ status  │ user.username │ teams         │
├──────┼─────────┼───────────────┼───────────────┤
│ ou-1 │ active  │ ana           │ owners,team-2 │
├──────┼─────────┼───────────────┼───────────────┤
│ ou-2 │ in vied │               │               │
└──────┴─────────┴───────────────┴───────────────┘
`,
    ],
    ['tsv', '', 'ou-1\tactive\tana\towners,team-2\n', 'ou-1\tactive\tana\towners,team-2\nou-2\tin\\tvied\t\t\n'],
    [
      'csv',
      'id,status,user.username,teams\r\n',
      'id,status,user.username,teams\r\nou-1,active,ana,"owners,team-2"\r\n',
      'id,status,user.username,teams\r\nou-1,active,ana,"owners,team-2"\r\nou-2,"in\tvied",,\r\n',
    ],
    ['json', '[]\n', pretty([anaFlat]), pretty([anaFlat, boFlat])],
    ['ndjson', '', lines([anaFlat]), lines([anaFlat, boFlat])],
    ['jsonapi', pretty({ data: [] }), pretty({ data: [ana], included }), pretty({ data: [ana, bo], included })],
  ])('%s of none, one and several', async (format, none, one, several) => {
    for (const [source, text] of [
      [toSource([toPage([])]), none],
      [toSource([]), none],
      [toSource(pages.slice(0, 1)), one],
      [toSource(pages), several],
      [toSource([toPage([ana, bo])]), several],
    ] as const) {
      const { output, stdout, stderr } = start(format);
      await output.list(memberships, source);
      expect(stdout.text()).toBe(text);
      expect(stderr.text()).toBe('');
    }
  });

  it.each<[Format, string]>([
    ['tsv', 'owners,\tou-1\n\tou-2\n'],
    ['csv', 'teams.name,id\r\n"owners,",ou-1\r\n,ou-2\r\n'],
    [
      'json',
      pretty([
        { 'teams.name': ['owners', null], id: 'ou-1' },
        { 'teams.name': [], id: 'ou-2' },
      ]),
    ],
    ['ndjson', '{"teams.name":["owners",null],"id":"ou-1"}\n{"teams.name":[],"id":"ou-2"}\n'],
  ])('%s of chosen fields, in the order asked', async (format, text) => {
    const { output, stdout } = start(format, ['teams.name', 'id']);
    await output.list(memberships, toSource(pages));
    expect(stdout.text()).toBe(text);
  });

  it('tells instants local and relative in a table, and as they came elsewhere', async () => {
    const { output, stdout } = start('table', ['created-at']);
    await output.list(memberships, toSource(pages));
    expect(stdout.text()).toBe(`┌──────────────────────────────────┐
│ created-at                       │
├──────────────────────────────────┤
│ 2026-11-21 08:15 (3 minutes ago) │
├──────────────────────────────────┤
│                                  │
└──────────────────────────────────┘
`);
    const tsv = start('tsv', ['created-at']);
    await tsv.output.list(memberships, toSource(pages));
    expect(tsv.stdout.text()).toBe('2026-11-21T08:15:00Z\n\n');
  });

  it('takes records as they are', async () => {
    const event = {
      timestamp: 't',
      type: 'Resource',
      id: 'e',
      attributes: { a: 1 },
      resource: { id: 'r', type: 'token' },
    };
    const page: Page = { items: [event], included: [], document: { data: [event], pagination: { current_page: 1 } } };
    for (const [format, text] of [
      ['json', pretty([event])],
      ['tsv', 't\ttoken\n'],
      ['jsonapi', pretty(page.document)],
    ] as const) {
      const { output, stdout } = start(format);
      await output.list(events, toSource([page]));
      expect(stdout.text()).toBe(text);
    }
  });

  describe('an inconsistent list', () => {
    const failure = new OrgctlError('incomplete', 'the list changed while it was read');

    it.each<[Format, string]>([
      ['table', ''],
      ['json', ''],
      ['jsonapi', ''],
      ['ndjson', lines([anaFlat])],
      ['tsv', 'ou-1\tactive\tana\towners,team-2\n'],
      ['csv', 'id,status,user.username,teams\r\nou-1,active,ana,"owners,team-2"\r\n'],
    ])('%s prints what it may', async (format, text) => {
      const { output, stdout, stderr } = start(format, undefined, { stderr: captureStream({ columns: 80 }) });
      await expect(output.list(memberships, toSource([toPage([ana])], failure))).rejects.toBe(failure);
      expect(stdout.text()).toBe(text);
      expect(stderr.text()).toBe('');
    });

    it.each(FORMATS)('%s prints nothing of a list that fails at once', async (format) => {
      const { output, stdout } = start(format);
      await expect(output.list(memberships, toSource([], failure))).rejects.toBe(failure);
      expect(stdout.text()).toBe('');
    });
  });

  describe('an unknown field', () => {
    it.each(FORMATS.filter((format) => format !== 'jsonapi'))('%s refuses it before printing', async (format) => {
      for (const source of [toSource([]), toSource([toPage([])]), toSource([toPage([ana])])]) {
        const { output, stdout } = start(format, ['id', 'nope']);
        await expect(output.list(memberships, source)).rejects.toThrow("unknown field 'nope'");
        expect(stdout.text()).toBe('');
      }
    });

    it('is known when the data has it', async () => {
      const { output, stdout } = start('tsv', ['two-factor.enabled', 'user.id']);
      await output.list(memberships, toSource([toPage([ana])]));
      expect(stdout.text()).toBe('true\tuser-1\n');
    });

    it('jsonapi refuses every choice of fields, before anything is read', async () => {
      const { output } = start('jsonapi', ['id']);
      const source: ListSource = {
        stream: () => expect.unreachable(),
        collect: () => expect.unreachable(),
      };
      await expect(output.list(memberships, source)).rejects.toThrow(UsageError);
      await expect(output.one(memberships, { data: ana })).rejects.toThrow(UsageError);
      expect(() => output.checkFields(memberships)).toThrow(UsageError);
    });
  });

  describe('the note on an empty list', () => {
    it.each<[Format, string]>([
      ['table', 'No memberships found.\n'],
      ['tsv', 'No memberships found.\n'],
      ['ndjson', 'No memberships found.\n'],
      ['csv', ''],
      ['json', ''],
      ['jsonapi', ''],
    ])('%s at a terminal: %j', async (format, note) => {
      const { output } = start(format, undefined, {});
      await output.list(memberships, toSource([]));
      const stderr = captureStream({ columns: 80 });
      await start(format, undefined, { stderr }).output.list(memberships, toSource([toPage([])]));
      expect(stderr.text()).toBe(note);
      const quiet = captureStream({ columns: 80 });
      await start(format, undefined, { stderr: quiet, emptyNote: false }).output.list(memberships, toSource([]));
      expect(quiet.text()).toBe('');
    });

    it('does not fail when stderr is gone', async () => {
      const stderr = captureStream({ columns: 80 });
      stderr.destroy();
      await start('table', undefined, { stderr }).output.list(memberships, toSource([]));
    });
  });

  it.each<Format>(['ndjson', 'tsv', 'csv'])(
    '%s writes each page by one call, and asks for the next when it is written',
    async (format) => {
      const events: string[] = [];
      const stdout = captureStream({ highWaterMark: 1, onWrite: () => events.push('written') });
      const source: ListSource = {
        ...toSource([]),
        async *stream() {
          for (let page = 1; page <= 3; page += 1) {
            events.push(`page ${page}`);
            yield toPage([ana, bo]);
            expect(stdout.writableLength).toBe(0);
          }
        },
      };
      await start(format, undefined, { stdout }).output.list(memberships, source);
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
    const source: ListSource = {
      ...toSource([]),
      async *stream() {
        for (let page = 0; page < 3; page += 1) {
          seen.push(turns);
          yield toPage([]);
        }
      },
    };
    await start('ndjson').output.list(memberships, source);
    expect(new Set(seen).size).toBe(3);
  });

  it('writes a long json list in pieces', async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({ id: `${index}`, type: 'things' }));
    const { output, stdout } = start('json');
    await output.list({ ...memberships, shown: ['id'] }, toSource(Array.from({ length: 50 }, () => toPage(items))));
    expect(stdout.pieces).toHaveLength(51);
    expect(JSON.parse(stdout.text())).toHaveLength(5000);
  });

  it.each(FORMATS)('%s lets nothing through that a terminal would obey', async (format) => {
    const hostile = 'a\u001b]0;t\u0007\u001b[2J\u009b1m\u202e\u2066b\u007f';
    const resource: Resource = { id: hostile, type: hostile, attributes: { [hostile]: hostile, status: [hostile] } };
    for (const call of ['list', 'one'] as const) {
      const { output, stdout } = start(format);
      if (call === 'list') await output.list(memberships, toSource([toPage([resource])]));
      else await output.one(memberships, { data: resource });
      expect(stdout.text()).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e\u2066]/);
      if (output.machine) expect(JSON.stringify(JSON.parse(stdout.text()))).toContain(JSON.stringify(hostile));
    }
  });
});

describe('one', () => {
  const document = { data: ana, included, meta: { a: 1 } };

  it.each<[Format, string]>([
    [
      'table',
      `┌────────────────────┬──────────────────────────────────┐
│ id                 │ ou-1                             │
├────────────────────┼──────────────────────────────────┤
│ type               │ organization-memberships         │
├────────────────────┼──────────────────────────────────┤
│ status             │ active                           │
├────────────────────┼──────────────────────────────────┤
│ created-at         │ 2026-11-21 08:15 (3 minutes ago) │
├────────────────────┼──────────────────────────────────┤
│ two-factor.enabled │ true                             │
├────────────────────┼──────────────────────────────────┤
│ odd                │                                  │
├────────────────────┼──────────────────────────────────┤
│ user               │ ana                              │
├────────────────────┼──────────────────────────────────┤
│ teams              │ owners,team-2                    │
├────────────────────┼──────────────────────────────────┤
│ source             │ local-record                     │
└────────────────────┴──────────────────────────────────┘
`,
    ],
    ['tsv', 'ou-1\tactive\tana\towners,team-2\tlocal-record\n'],
    ['csv', 'id,status,user.username,teams,source\r\nou-1,active,ana,"owners,team-2",local-record\r\n'],
    ['json', pretty({ ...anaFlat, source: 'local-record' })],
    ['ndjson', lines([{ ...anaFlat, source: 'local-record' }])],
    ['jsonapi', pretty(document)],
  ])('%s', async (format, text) => {
    const { output, stdout } = start(format);
    await output.one(memberships, document, { source: 'local-record' });
    expect(stdout.text()).toBe(text);
  });

  it.each<[Format, string]>([
    [
      'table',
      '┌───────────────┬─────┐\n│ user.username │ ana │\n├───────────────┼─────┤\n│ source        │ x   │\n└───────────────┴─────┘\n',
    ],
    ['tsv', 'ana\tx\n'],
    ['csv', 'user.username,source\r\nana,x\r\n'],
    ['json', pretty({ 'user.username': 'ana', source: 'x' })],
    ['ndjson', '{"user.username":"ana","source":"x"}\n'],
  ])('%s of chosen fields', async (format, text) => {
    const { output, stdout } = start(format, ['user.username', 'source']);
    await output.one(memberships, document, { source: 'x' });
    expect(stdout.text()).toBe(text);
  });

  it('takes a record as it is', async () => {
    for (const [format, text] of [
      ['json', pretty({ id: 1, attributes: { a: 2 }, extra: true })],
      [
        'table',
        '┌──────────────┬──────┐\n│ id           │ 1    │\n├──────────────┼──────┤\n│ attributes.a │ 2    │\n├──────────────┼──────┤\n│ extra        │ true │\n└──────────────┴──────┘\n',
      ],
      ['jsonapi', pretty({ id: 1, attributes: { a: 2 } })],
    ] as const) {
      const { output, stdout } = start(format);
      await output.one(events, { id: 1, attributes: { a: 2 } }, { extra: true });
      expect(stdout.text()).toBe(text);
    }
  });

  it('refuses an unknown field, and bears an absent thing', async () => {
    const { output, stdout } = start('json', ['nope']);
    await expect(output.one(memberships, document)).rejects.toThrow("unknown field 'nope'");
    expect(stdout.text()).toBe('');
    const absent = start('json');
    await absent.output.one(memberships, { data: null });
    expect(absent.stdout.text()).toBe('{}\n');
  });
});

describe('changed', () => {
  const created = { resource: ana, included, document: { data: ana, included }, extra: { changed: true } };
  const gone = { resource: { type: 'organization-memberships', id: 'ou-9' }, extra: { changed: true } };

  it.each<[Format, string, string]>([
    ['tsv', 'ou-1\tactive\tana\towners,team-2\ttrue\n', 'ou-9\t\t\t\ttrue\n'],
    [
      'csv',
      'id,status,user.username,teams,changed\r\nou-1,active,ana,"owners,team-2",true\r\n',
      'id,status,user.username,teams,changed\r\nou-9,,,,true\r\n',
    ],
    [
      'json',
      pretty({ ...anaFlat, changed: true }),
      pretty({ id: 'ou-9', type: 'organization-memberships', changed: true }),
    ],
    [
      'ndjson',
      lines([{ ...anaFlat, changed: true }]),
      lines([{ id: 'ou-9', type: 'organization-memberships', changed: true }]),
    ],
    [
      'jsonapi',
      pretty({ data: ana, included }),
      pretty({ data: { type: 'organization-memberships', id: 'ou-9' }, meta: { changed: true } }),
    ],
  ])('%s of a 201 and of a 204', async (format, ofCreated, ofGone) => {
    for (const [result, text] of [
      [created, ofCreated],
      [gone, ofGone],
    ] as const) {
      const { output, stdout } = start(format);
      await output.changed(memberships, result);
      expect(stdout.text()).toBe(text);
    }
  });

  it('is field and value in a table', async () => {
    const { output, stdout } = start('table');
    await output.changed(memberships, gone);
    expect(stdout.text()).toBe(`┌─────────┬──────────────────────────┐
│ id      │ ou-9                     │
├─────────┼──────────────────────────┤
│ type    │ organization-memberships │
├─────────┼──────────────────────────┤
│ changed │ true                     │
└─────────┴──────────────────────────┘
`);
  });

  it('takes what was included from the document where it is not given apart', async () => {
    const { output, stdout } = start('tsv', ['user.username']);
    await output.changed(memberships, { resource: ana, document: { data: ana, included }, extra: { changed: true } });
    expect(stdout.text()).toBe('ana\n');
  });

  it('never refuses: the write has happened', async () => {
    const { output, stdout } = start('json', ['nope', 'id']);
    await output.changed(memberships, gone);
    expect(stdout.text()).toBe(pretty({ nope: null, id: 'ou-9' }));
  });
});

describe('changedMany', () => {
  const results = [
    { resource: ana, included, extra: { changed: true } },
    {
      resource: { type: 'organization-memberships', id: 'ou-9' },
      extra: { changed: false, 'teams-missing': ['ops', 'dev'] },
    },
  ];
  const goneFlat = { id: 'ou-9', type: 'organization-memberships', changed: false, 'teams-missing': ['ops', 'dev'] };

  it.each<[Format, string, string, string]>([
    [
      'table',
      '',
      `┌──────┬────────┬───────────────┬───────────────┬─────────┐
│ id   │ status │ user.username │ teams         │ changed │
├──────┼────────┼───────────────┼───────────────┼─────────┤
│ ou-1 │ active │ ana           │ owners,team-2 │ true    │
└──────┴────────┴───────────────┴───────────────┴─────────┘
`,
      `┌──────┬────────┬───────────────┬───────────────┬─────────┬───────────────┐
│ id   │ status │ user.username │ teams         │ changed │ teams-missing │
├──────┼────────┼───────────────┼───────────────┼─────────┼───────────────┤
│ ou-1 │ active │ ana           │ owners,team-2 │ true    │               │
├──────┼────────┼───────────────┼───────────────┼─────────┼───────────────┤
│ ou-9 │        │               │               │ false   │ ops,dev       │
└──────┴────────┴───────────────┴───────────────┴─────────┴───────────────┘
`,
    ],
    [
      'tsv',
      '',
      'ou-1\tactive\tana\towners,team-2\ttrue\n',
      'ou-1\tactive\tana\towners,team-2\ttrue\t\nou-9\t\t\t\tfalse\tops,dev\n',
    ],
    [
      'csv',
      'id,status,user.username,teams\r\n',
      'id,status,user.username,teams,changed\r\nou-1,active,ana,"owners,team-2",true\r\n',
      'id,status,user.username,teams,changed,teams-missing\r\nou-1,active,ana,"owners,team-2",true,\r\nou-9,,,,false,"ops,dev"\r\n',
    ],
    ['json', '[]\n', pretty([{ ...anaFlat, changed: true }]), pretty([{ ...anaFlat, changed: true }, goneFlat])],
    ['ndjson', '', lines([{ ...anaFlat, changed: true }]), lines([{ ...anaFlat, changed: true }, goneFlat])],
    [
      'jsonapi',
      pretty({ data: [] }),
      pretty({ data: [ana], included }),
      pretty({
        data: [
          ana,
          { type: 'organization-memberships', id: 'ou-9', meta: { changed: false, 'teams-missing': ['ops', 'dev'] } },
        ],
        included,
      }),
    ],
  ])('%s of none, one and several', async (format, none, one, several) => {
    for (const [count, text] of [none, one, several].entries()) {
      const { output, stdout, stderr } = start(format, undefined, { stderr: captureStream({ columns: 80 }) });
      await output.changedMany(memberships, results.slice(0, count));
      expect(stdout.text()).toBe(text);
      expect(stderr.text()).toBe('');
    }
  });
});

describe('checkFields', () => {
  it('knows what the view knows, and that every write tells whether it changed something', () => {
    start('json').output.checkFields(memberships);
    start('json', []).output.checkFields(memberships);
    start('json', ['id', 'email', 'teams.name', 'changed']).output.checkFields(memberships);
    expect(() => start('table', ['user.email']).output.checkFields(memberships)).toThrow("unknown field 'user.email'");
  });
});

describe('raw', () => {
  it.each(FORMATS)('%s: exactly the text and one newline', async (format) => {
    const { output, stdout } = start(format);
    await output.raw('secret.atlasv1.text');
    expect(stdout.pieces).toEqual(['secret.atlasv1.text\n']);
  });
});

describe('machine', () => {
  it('is what programs read', () => {
    expect(FORMATS.filter((format) => start(format).output.machine)).toEqual(['json', 'ndjson', 'jsonapi']);
  });
});

describe('a closed pipe', () => {
  const closed = () => {
    const stdout = captureStream();
    stdout.destroy();
    return stdout;
  };
  const result = { resource: ana, extra: { changed: true } };

  it.each(FORMATS)('%s rejects with ClosedPipe', async (format) => {
    const output = () => start(format, undefined, { stdout: closed() }).output;
    await expect(output().list(memberships, toSource([toPage([ana])]))).rejects.toThrow(ClosedPipe);
    await expect(output().one(memberships, { data: ana })).rejects.toThrow(ClosedPipe);
    await expect(output().changed(memberships, result)).rejects.toThrow(ClosedPipe);
    await expect(output().changedMany(memberships, [result])).rejects.toThrow(ClosedPipe);
    await expect(output().raw('secret')).rejects.toThrow(ClosedPipe);
  });

  it('ends the reading of an endless list', async () => {
    const reader = spawn(process.execPath, ['-e', "process.stdin.once('data', () => process.exit())"], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const exited = once(reader, 'exit');
    let isReading = true;
    const source: ListSource = {
      ...toSource([]),
      async *stream() {
        try {
          for (;;) yield toPage(Array.from({ length: 100 }, () => ana));
        } finally {
          isReading = false;
        }
      },
    };
    const stdout: HostOutput = reader.stdin;
    await expect(start('ndjson', undefined, { stdout }).output.list(memberships, source)).rejects.toThrow(ClosedPipe);
    expect(isReading).toBe(false);
    await exited;
  });
});
