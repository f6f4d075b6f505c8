import { describe, expect, test } from 'vitest';
import { readCommandTree } from '../support/command-tree.ts';
import { toRequestLines } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import { toText } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

/** A file's rows act where they say, and on whom they mean: every verb that takes a file of people, on every kind of row. */

interface Verb {
  readonly options: readonly string[];
  /** Where it acts: what it sends for a row. */
  readonly sends: readonly string[];
  readonly exit?: number;
  readonly person?: 'ivan';
  /** What a row says of the status is checked. */
  readonly checksStatus?: true;
  /** Of a file over several organizations every row names one. */
  readonly namesOrganizations?: true;
  /** Names an id as well as an email. */
  readonly isRoster?: true;
}

const MEMBERS = '/relationships/organization-memberships';
const INTO_PLATFORM = [`POST /teams/team-platform${MEMBERS}`];
const VERBS: Readonly<Record<string, Verb>> = {
  // Who is there is not invited.
  'members invite': { options: ['--team', 'audit'], sends: [] },
  'members remove': {
    options: ['--yes'],
    sends: ['DELETE /organization-memberships/ou-milo'],
    checksStatus: true,
    namesOrganizations: true,
  },
  'members resend': {
    person: 'ivan',
    options: ['--yes'],
    sends: ['DELETE /organization-memberships/ou-ivan', 'POST /organizations/acme/organization-memberships'],
    checksStatus: true,
    namesOrganizations: true,
  },
  'members plan': { options: [], sends: [], exit: 13, isRoster: true },
  'members apply': { options: ['--yes'], sends: INTO_PLATFORM, isRoster: true },
};

const PEOPLE = {
  milo: { email: 'milo.member@example.com', status: 'active' },
  ivan: { email: 'ivan.invitee@example.com', status: 'invited' },
};

/** What a row says, what the command is about, and where the row acts. */
const ONE = ['--org', 'acme'];
const SEVERAL = ['--orgs', 'acme,globex'];
const PLACES = [
  { says: 'ACME', about: ONE, acts: ['acme'] },
  { says: '', about: ONE, acts: ['acme'] },
  { says: 'globex', about: ONE, acts: [] },
  { says: 'Globex', about: SEVERAL, acts: ['globex'] },
  { says: '', about: SEVERAL, acts: ['acme', 'globex'] },
  { says: 'initech', about: SEVERAL, acts: [] },
];

test('every verb that takes a file of people is looked at here', async () => {
  const { taking } = await readCommandTree();
  expect(
    taking('--file')
      .filter((verb) => verb.startsWith('members '))
      .sort(),
  ).toEqual(Object.keys(VERBS).sort());
});

describe.each(Object.entries(VERBS))('%s', (name, verb) => {
  const { options, sends, exit = 0, person = 'milo', checksStatus = false, isRoster = false } = verb;
  const { namesOrganizations = false } = verb;
  const { email, status } = PEOPLE[person];

  test.each(PLACES)('a row of "$says", with $about', async ({ says, about, acts }) => {
    let service = await open(person);
    const { plain, real } = await createNames(service.sandbox);
    const suffix = acts[0] === 'globex' ? '.globex' : '';
    const ids = { right: `ou-${person}${suffix}`, none: '', other: `ou-rex${suffix}`, unknown: 'ou-unknown1' };
    const done = acts.flatMap((organization) =>
      sends.map((line) => toNameIn(line, organization === 'acme' ? '' : `.${organization}`)),
    );
    const toOutcome = (id: string, isChanged: boolean): Outcome => {
      if (acts.length === 0) return { why: 'organization', code: 2, sent: [] };
      // One id can't be that of a membership in each of several.
      if (id !== 'none' && (id !== 'right' || acts.length > 1)) return { why: 'id', code: 2, sent: [] };
      if (namesOrganizations && says === '' && acts.length > 1) return { why: '', code: 2, sent: [] };
      if (checksStatus && isChanged) return { why: 'changed', code: 10, sent: [] };
      return { why: '', code: exit, sent: done };
    };
    for (const [id, text] of Object.entries(ids)) {
      for (const isChanged of [false, true]) {
        const row = [email, says, text, isChanged ? 'inactive' : status, ...(isRoster ? ['platform'] : [])];
        const file = `email,organization.id,id,status${isRoster ? ',teams' : ''}\n${row.join(',')}\n`;
        const before = service.requests.length;
        const argv = [...name.split(' '), ...options, ...about, '--file', '-'];
        const { code, stderr } = await service.run(argv, { stdin: real(file) });
        const sent = toRequestLines(service.requests.slice(before), { plain }).flatMap((line) => toWrite(line) ?? []);
        expect({ id, isChanged, why: findWhy(stderr), code, sent }).toEqual({
          id,
          isChanged,
          ...toOutcome(id, isChanged),
        });
        // The next row finds everything as it was.
        if (sent.length > 0) service = await open(person);
      }
    }
  });
});

/** Whoever is invited is so in globex, too; initech is full. */
async function open(person: keyof typeof PEOPLE) {
  const service = await startService();
  const { email, status } = PEOPLE[person];
  const argv = ['members', 'invite', email, '--team', 'platform', '--orgs', 'globex'];
  if (status === 'invited') await service.run(argv);
  return service;
}

/** Without its body; undefined for what only reads. */
function toWrite(line: string): string | undefined {
  return line.startsWith('GET ') ? undefined : line.split(' ').slice(0, 2).join(' ');
}

/** The same request of another organization, where what it is about has another name. */
function toNameIn(line: string, suffix: string): string {
  const inPlace = suffix === '' ? line : line.replace('/acme/', `/${suffix.slice(1)}/`);
  return inPlace.replace(/-(?:milo|ivan|platform|audit)\b/, `$&${suffix}`);
}

interface Outcome {
  readonly why: string;
  readonly code: number;
  readonly sent: readonly string[];
}

function findWhy(stderr: string): string {
  if (/^ {2}line 2: organization\.id is \w+, and this command is about acme(?: and globex)?$/m.test(stderr)) {
    return 'organization';
  }
  if (/^ {2}line 2: (?:id is ou-\w+, and \S+ is ou-\w+ in|2 people of \w+ match)/m.test(stderr)) return 'id';
  return / is \w+ now, not inactive as in stdin$/m.test(stderr) ? 'changed' : '';
}

describe('what orgctl prints is read', () => {
  const READ = ['tsv', 'csv', 'json', 'ndjson'];

  test.each(READ)('%s: invitations, one of which was accepted meanwhile', async (format) => {
    const service = await startService();
    await service.run(['members', 'invite', 'nia@example.com', '--team', 'audit']);
    const { stdout } = await service.run(['members', 'list', '--status', 'invited', '-o', format]);
    service.sandbox.accept('ivan.invitee@example.com', 'acme');
    const { plain } = await createNames(service.sandbox);
    const before = service.requests.length;
    const result = await service.run(
      ['members', 'remove', '--file', '-', '--yes', '--fields', 'email,result,error.code'],
      {
        stdin: stdout,
      },
    );
    const sent = toRequestLines(service.requests.slice(before), { plain });
    expect({ ...result, sent: sent.flatMap((line) => toWrite(line) ?? []) }).toEqual({
      code: 10,
      stdout: 'ivan.invitee@example.com\tfailed\tchanged\nnia@example.com\tremoved\t\n',
      stderr: toText(
        '2 people: 1 removed, 1 failed.',
        'orgctl: 1 of 2 failed',
        '  ivan.invitee@example.com is active now, not invited as in stdin',
        '  → Print the list again, and check it.',
      ),
      sent: ['DELETE /organization-memberships/ou-nia@example'],
    });
  });

  test.each(READ)('%s: a person of every organization', async (format) => {
    for (const [name, { options, sends, person = 'milo', isRoster }] of Object.entries(VERBS)) {
      const service = await open(person);
      const { plain } = await createNames(service.sandbox);
      const list = await service.run(['members', 'list', '--all-orgs', '--search', person, '-o', format]);
      const pipe = async (...more: readonly string[]) => {
        const before = service.requests.length;
        const argv = [...name.split(' '), ...options, '--file', '-', ...more];
        const { code, stderr } = await service.run(argv, { stdin: list.stdout });
        const sent = toRequestLines(service.requests.slice(before), { plain });
        return { name, code, words: stderr.split('\n')[0], sent: sent.flatMap((line) => toWrite(line) ?? []) };
      };
      const places = person === 'ivan' ? ['', '.globex'] : ['', '.globex', '.initech'];
      const [one, several] = format === 'json' ? ['1 entry', '2 entries'] : ['1 line', '2 lines'];
      const wrong = places.length === 2 ? one : several;
      expect(await pipe()).toEqual({ name, code: 2, words: `orgctl: stdin: ${wrong} can't be used`, sent: [] });
      expect(await pipe('--all-orgs')).toMatchObject({
        name,
        code: 0,
        // A roster of who is there changes nothing.
        sent: isRoster ? [] : places.flatMap((suffix) => sends.map((line) => toNameIn(line, suffix))),
      });
    }
  });

  test.each(['markdown', 'table'])('%s is refused, and nothing is sent', async (format) => {
    const service = await startService();
    const { stdout } = await service.run(['members', 'list', '-o', format]);
    const before = service.requests.length;
    for (const [name, { options }] of Object.entries(VERBS)) {
      const { code } = await service.run([...name.split(' '), ...options, '--file', '-'], { stdin: stdout });
      expect({ name, code }).toEqual({ name, code: 2 });
    }
    expect(service.requests.slice(before)).toEqual([]);
  });
});

test('everything that is wrong in a file is said at once, and what is wrong with --team', () =>
  transcript({
    stdin:
      'email,teams,id,org\nnonsense,nope,,\nana@example.com,audit,,globex\nben@example.com,none;nope,,Acme\nmilo.member@example.com,,ou-rex,\n',
  })`
    $ members invite --file - --team nosuch
    ! orgctl: stdin: 4 lines can't be used
    !   acme has no team 'nosuch'
    !   line 2: 'nonsense' is not an email address
    !   line 2: acme has no team 'nope'
    !   line 3: org is globex, and this command is about acme
    !   line 4: acme has no teams 'none', 'nope'
    !   line 5: id is ou-rex, and milo.member@example.com is ou-milo in acme
    !   → Nothing was sent. Give it as name@example.com. Name that organization with --org, use another file, or leave the column out (--fields). Teams of acme: owners, platform, security, audit. Use a newer file, or leave the column id out (--fields).
    = 2
  `);

test('each is invited where their row says, and in all without it', () =>
  transcript({ stdin: 'Email;Organization;Phone;Status\nana@example.com;;1;\nben@example.com;Globex;2;new\n' })`
    $ members invite --file - --orgs acme,globex --team audit --fields result,organization.id,email
    invited\tacme\tana@example.com
    invited\tglobex\tana@example.com
    invited\tglobex\tben@example.com
    ! stdin: not used: Phone, Status.
    ! 2 people in 2 organizations: 3 invited.
    > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit"}]}}}}
    > POST /organizations/globex/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit.globex"}]}}}}
    > POST /organizations/globex/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ben@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit.globex"}]}}}}
  `);
