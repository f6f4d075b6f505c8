import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CallerKind, SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { type Json, toRequestLines } from '../support/demo.ts';
import { createFolder } from '../support/files.ts';
import { startFront } from '../support/front.ts';
import { createNames, type Names } from '../support/names.ts';
import { type RunOptions, toText } from '../support/run.ts';
import { hide, type ServiceOptions, startService, type TestService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

interface Options extends RunOptions {
  readonly as?: CallerKind;
  readonly org?: string;
  readonly service?: Parameters<typeof startService>[0];
  /** Files beside the roster, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Runs it against the demo with the roster on stdin; ids have names in what comes back. */
async function run(argv: string, roster: string, options: Options = {}) {
  const { service: serviceOptions = {}, files = {}, ...runOptions } = options;
  const service = await startService(serviceOptions);
  const { plain, real } = await createNames(service.sandbox);
  const home = createFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), real(text));
  const from = roster === '' ? [] : ['--file', '-'];
  const result = await service.run([...argv.split(' '), ...from], { stdin: roster, home, ...runOptions });
  return {
    service,
    result: { ...result, stdout: plain(result.stdout), stderr: plain(result.stderr) },
    writes: toRequestLines(service.requests, { plain }).filter((request) => !request.startsWith('GET ')),
    requests: service.requests.length,
  };
}

type Happen = (service: TestService, real: Names['real']) => unknown;

/** A service where something happens once the members have been listed. */
async function startChanging(happen: Happen, options: Partial<SandboxOptions> = {}): Promise<TestService> {
  let happened = false;
  const service: TestService = await startService({
    ...options,
    async alter(answer, request) {
      if (!happened && new URL(request.url).pathname.endsWith('/acme/organization-memberships')) {
        happened = true;
        await happen(service, real);
      }
      return answer;
    },
  });
  const { real } = await createNames(service.sandbox);
  return service;
}

const leave =
  (id: string): Happen =>
  ({ ask }, real) =>
    ask('DELETE', real(`/organization-memberships/${id}`));

/** Olive, milo and rex stay, ada wants another team, tara and ivan are too many, ana is new. */
const ROSTER = toText(
  'members:',
  '- {email: Olive.Owner@example.com, teams: [owners]}',
  '- {email: milo.member@example.com, teams: [audit]}',
  '- {email: rex.registry-manager@example.com}',
  '- {email: ada.auditor@example.com, teams: [audit, Platform]}',
  '- {email: ana@example.com, teams: [platform, team-security]}',
);
const INVITE_ANA =
  'POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships",' +
  '"attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"},' +
  '{"type":"teams","id":"team-security"}]}}}}';
const ADA_LACKS = '~ ada.auditor@example.com: add to platform';
const TARA = 'tara.team-manager@example.com';
const IVAN = 'ivan.invitee@example.com';
const PRUNED = [
  `- remove ${TARA} (active; security; 2FA off)`,
  `- remove ${IVAN} (invited; platform)`,
  '+ invite ana@example.com (platform, security)',
];
const ALL = [...PRUNED, ADA_LACKS];
const ADD_ADA =
  'POST /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"}]}';

describe('members plan', () => {
  test('as people read it', () =>
    transcript({ stdin: ROSTER, tty: { stdout: true } })`
      $ members plan --file -
      \u001b[32m+\u001b[39m invite ana@example.com (platform, security)
      \u001b[33m~\u001b[39m ada.auditor@example.com: add to platform
      \u001b[2m=\u001b[22m leave tara.team-manager@example.com: not in the roster
      \u001b[2m=\u001b[22m leave ivan.invitee@example.com: not in the roster
      ! Plan for acme from stdin: 1 to invite, 1 team change; 3 unchanged, 2 not in the roster.
      ! orgctl: acme differs from stdin
      !   → Apply the plan with members apply, which asks first.
      = 13
      $ members plan --file - --prune --no-color 2>/dev/null
      - remove tara.team-manager@example.com (active; security; 2FA off)
      - remove ivan.invitee@example.com (invited; platform)
      + invite ana@example.com (platform, security)
      ~ ada.auditor@example.com: add to platform
      = 13
      $ members plan --file - --prune --no-color --fields action,email 2>/dev/null
      ACTION  EMAIL
      remove  tara.team-manager@example.com
      remove  ivan.invitee@example.com
      invite  ana@example.com
      teams   ada.auditor@example.com
      = 13
    `);

  test('as programs read it', () =>
    transcript({ stdin: ROSTER })`
      $ members plan --prune --file - -o ndjson
      {"action":"remove","id":"ou-tara","email":"tara.team-manager@example.com","status":"active","teams":[{"id":"team-security","type":"teams","name":"security"}],"teams-add":[],"teams-remove":[],"organization":{"id":"acme","type":"organizations"}}
      {"action":"remove","id":"ou-ivan","email":"ivan.invitee@example.com","status":"invited","teams":[{"id":"team-platform","type":"teams","name":"platform"}],"teams-add":[],"teams-remove":[],"organization":{"id":"acme","type":"organizations"}}
      {"action":"invite","id":null,"email":"ana@example.com","status":null,"teams":[{"id":"team-platform","type":"teams","name":"platform"},{"id":"team-security","type":"teams","name":"security"}],"teams-add":[],"teams-remove":[],"organization":{"id":"acme","type":"organizations"}}
      {"action":"teams","id":"ou-ada","email":"ada.auditor@example.com","status":"active","teams":[{"id":"team-audit","type":"teams","name":"audit"}],"teams-add":[{"id":"team-platform","type":"teams","name":"platform"}],"teams-remove":[],"organization":{"id":"acme","type":"organizations"}}
      ! {"note":{"message":"Plan for acme from stdin: 1 to invite, 2 to remove, 1 team change; 3 unchanged."}}
      ! {"error":{"code":"drift","exit":13,"message":"acme differs from stdin","hint":"Apply the plan with members apply, which asks first."}}
      = 13
      $ members plan --prune --file - -o tsv 2>/dev/null
      remove\ttara.team-manager@example.com\tactive\tsecurity\t\t\tou-tara
      remove\tivan.invitee@example.com\tinvited\tplatform\t\t\tou-ivan
      invite\tana@example.com\t\tplatform,security\t\t\t
      teams\tada.auditor@example.com\tactive\taudit\tplatform\t\tou-ada
      = 13
      $ members plan --prune --file - -o csv --fields action,teams 2>/dev/null
      action,teams\r
      remove,security\r
      remove,platform\r
      invite,"platform,security"\r
      teams,audit\r
      = 13
    `);

  test('-o table is in sentences in a file too, and names everyone', async () => {
    const people = Array.from({ length: 23 }, (_, index) => `- {email: p${index}@example.com, teams: [platform]}`);
    const { result } = await run('members plan --prune -o table', toText('members:', ...people));
    const lines = result.stdout.split('\n');
    expect(lines.filter((line) => line.startsWith('- remove '))).toHaveLength(5);
    expect(lines.filter((line) => line.startsWith('+ invite '))).toHaveLength(23);
    expect(lines).toContain('= keep olive.owner@example.com: this is you');
  });

  test('is empty, and exit 0, where there is no difference', () =>
    transcript({ stdin: 'email,teams\nolive.owner@example.com,\n', tty: { stdout: true } })`
      $ members plan --file - --no-color
      = leave milo.member@example.com: not in the roster
      = leave tara.team-manager@example.com: not in the roster
      = leave rex.registry-manager@example.com: not in the roster
      = leave ada.auditor@example.com: not in the roster
      = leave ivan.invitee@example.com: not in the roster
      ! Plan for acme from stdin: no changes; 1 unchanged, 5 not in the roster.
    `);

  test('names people by user or id too, and warns of an address that changed', () =>
    transcript({
      stdin: toText(
        'members:',
        '- {user: MILO-member, teams: [security]}',
        '- {id: ou-ada, teams: []}',
        '- {user: tara-team-manager, email: tara@old.example.com}',
      ),
    })`
      $ members plan --file - --prune-teams -o ndjson
      {"action":"teams","id":"ou-milo","email":"milo.member@example.com","status":"active","teams":[{"id":"team-audit","type":"teams","name":"audit"}],"teams-add":[{"id":"team-security","type":"teams","name":"security"}],"teams-remove":[{"id":"team-audit","type":"teams","name":"audit"}],"organization":{"id":"acme","type":"organizations"}}
      {"action":"teams","id":"ou-ada","email":"ada.auditor@example.com","status":"active","teams":[{"id":"team-audit","type":"teams","name":"audit"}],"teams-add":[],"teams-remove":[{"id":"team-audit","type":"teams","name":"audit"}],"organization":{"id":"acme","type":"organizations"}}
      ! {"warning":{"message":"tara-team-manager is tara.team-manager@example.com now, not tara@old.example.com as in stdin"}}
      ! {"note":{"message":"Plan for acme from stdin: 2 team changes; 1 unchanged, 3 not in the roster."}}
      ! {"error":{"code":"drift","exit":13,"message":"acme differs from stdin","hint":"Apply the plan with members apply, which asks first."}}
      = 13
    `);

  test('warns where a user is unknown, and an address beside it is invited', () =>
    transcript({ stdin: toText('members:', '- {user: ada-audit, email: ada@new.example.com, teams: [audit]}') })`
      $ members plan --file - -o ndjson
      {"action":"invite","id":null,"email":"ada@new.example.com","status":null,"teams":[{"id":"team-audit","type":"teams","name":"audit"}],"teams-add":[],"teams-remove":[],"organization":{"id":"acme","type":"organizations"}}
      ! {"warning":{"message":"acme has no member ada-audit, so an invitation goes to ada@new.example.com"}}
      ! {"note":{"message":"Plan for acme from stdin: 1 to invite; 0 unchanged, 6 not in the roster."}}
      ! {"error":{"code":"drift","exit":13,"message":"acme differs from stdin","hint":"Apply the plan with members apply, which asks first."}}
      = 13
    `);

  test('of another organization it is refused', () =>
    transcript({ stdin: 'organization: Globex\nmembers:\n- email: gina.globex@example.com\n' })`
      $ members plan --file -
      ! orgctl: stdin is the roster of Globex, and this command is about acme
      !   → Nothing was sent. Add --org Globex, or use another file.
      = 2, nothing sent
      $ members apply --file - --prune --yes
      ! orgctl: stdin is the roster of Globex, and this command is about acme
      !   → Nothing was sent. Add --org Globex, or use another file.
      = 2, nothing sent
      $ --org globex members plan --file -
      ! Plan for globex from stdin: no changes; 1 unchanged, 9 not in the roster.
    `);
  test('where no organization is named, it is the one of the roster', () =>
    transcript({
      stdin: 'organization: globex\nmembers:\n- {email: ana@example.com, teams: [platform]}\n',
      env: { ORGCTL_ORG: '' },
    })`
      $ members plan --file -
      invite\tana@example.com\t\tplatform\t\t\t
      ! Plan for globex from stdin: 1 to invite; 0 unchanged, 10 not in the roster.
      ! orgctl: globex differs from stdin
      !   → Apply the plan with members apply, which asks first.
      = 13
      $ members apply --file - --yes --fields result,organization.id
      invited\tglobex
      ! Left as they are: 10 not in the roster (--prune removes them).
      ! + invite ana@example.com (platform)
      ! 1 person: 1 invited.
      > POST /organizations/globex/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform.globex"}]}}}}
    `);
  test('--init writes who is there, by the names of their teams', () =>
    transcript()`
      $ members plan --init
      organization: acme
      members:
        - email: olive.owner@example.com
          teams: [owners]
        - email: milo.member@example.com
          teams: [audit]
        - email: tara.team-manager@example.com
          teams: [security]
        - email: rex.registry-manager@example.com
          teams: [platform]
        - email: ada.auditor@example.com
          teams: [audit]
        - email: ivan.invitee@example.com
          teams: [platform]
    `);

  test.each<[what: string, service: Parameters<typeof startService>[0], people: string]>([
    [
      'teams by their ids where teams cannot be listed',
      { documentOnly: true },
      'olive: team-owners, milo: team-audit, tara: team-security, rex: team-platform, ada: team-audit, ivan: team-platform',
    ],
    [
      'teams by their ids where names could mean several, or would be read as something else',
      alterList('/acme/teams', (team, index) =>
        withAttribute(team, 'name', ['owners', 'twice', 'twice', 'a;b'][index]),
      ),
      'olive: owners, milo: team-audit, tara: team-security, rex: team-platform, ada: team-audit, ivan: team-platform',
    ],
    [
      'people by their ids whom an address does not name',
      alterMembers((member, index) => {
        const email = ['root@localhost', 'one@example.com', 'one@example.com'][index];
        return email === undefined ? member : withEmail(member, email);
      }),
      'ou-olive: owners, ou-milo: audit, ou-tara: security, rex: platform, ada: audit, ivan: platform',
    ],
  ])('--init gives %s, and the plan of it is empty', async (_what, options, people) => {
    const service = await startService(options);
    const { plain } = await createNames(service.sandbox);
    const { stdout, stderr } = await service.run(['members', 'plan', '--init', '-o', 'json']);
    const { members } = JSON.parse(plain(stdout)) as { members: { email?: string; id: string; teams: string[] }[] };
    const names = members.map(({ email, id, teams }) => `${email?.replace(/\..*/, '') ?? id}: ${teams.join()}`);
    expect({ people: names.join(', '), stderr }).toEqual({ people, stderr: '' });
    const prune = options?.documentOnly === true ? [] : ['--prune-teams'];
    const plan = await service.run(['members', 'plan', '--file', '-', ...prune], { stdin: stdout });
    expect(plan).toMatchObject({ code: 0, stdout: '' });
  });

  test('of a list that changed while it was read is made of the list as it then is', async () => {
    const service = await startChanging(leave('ou-ada'), { seed: { kind: 'members', count: 120 } });
    const { code, stdout, stderr } = await service.run(
      ['members', 'plan', '--prune', '--file', '-', '--fields', 'email'],
      { stdin: 'members: [olive.owner@example.com]\n' },
    );
    expect(code, stderr).toBe(13);
    const people = stdout.trimEnd().split('\n');
    expect(people).toContain(IVAN);
    expect(people).not.toContain('ada.auditor@example.com');
    expect(new Set(people).size).toBe(people.length);
  });

  test('a list made for a spreadsheet is a roster too', () =>
    transcript()`
      $ members list --fields email,teams -o csv > people.csv
      $ members plan --prune --file people.csv
      ! Plan for acme from people.csv: no changes; 6 unchanged.
    `);
});

describe('members apply', () => {
  test('without prune invites, adds to teams, and removes no one', () =>
    transcript({ stdin: ROSTER })`
      $ members apply --yes --file -
      changed\tteams\tada.auditor@example.com\tacme\tou-ada\taudit\tplatform\t\t\t
      invited\tinvite\tana@example.com\tacme\tou-1\tplatform,security\t\t\t\t
      ! Left as they are: 2 not in the roster (--prune removes them).
      ! + invite ana@example.com (platform, security)
      ! ${ADA_LACKS}
      ! 2 people: 1 changed, 1 invited.
      > ${ADD_ADA}
      > ${INVITE_ANA}
    `);

  test('with prune shows what it is about to do, removes first, then invites', () =>
    transcript({ stdin: ROSTER })`
      $ members apply --prune --yes --file -
      changed\tteams\tada.auditor@example.com\tacme\tou-ada\taudit\tplatform\t\t\t
      removed\tremove\ttara.team-manager@example.com\tacme\tou-tara\tsecurity\t\t\t\t
      removed\tremove\tivan.invitee@example.com\tacme\tou-ivan\tplatform\t\t\t\t
      invited\tinvite\tana@example.com\tacme\tou-1\tplatform,security\t\t\t\t
      ! ${ALL.join('\n      ! ')}
      ! 4 people: 1 changed, 2 removed, 1 invited.
      > ${ADD_ADA}
      > DELETE /organization-memberships/ou-tara
      > DELETE /organization-memberships/ou-ivan
      > ${INVITE_ANA}
    `);

  test('where nothing is to be done asks for nothing', () =>
    transcript({ stdin: 'members: [olive.owner@example.com]\n' })`
      $ members apply --file - -o json
      []
      ! {"note":{"message":"Left as they are: 5 not in the roster (--prune removes them)."}}
      ! {"note":{"message":"Nothing to do."}}
      $ members apply --file - --dry-run -o table
      ! Left as they are: 5 not in the roster (--prune removes them).
      ! Nothing to do.
    `);

  test('--dry-run shows what would be sent, and sends nothing', () =>
    transcript({ stdin: ROSTER })`
      $ members apply --prune --dry-run --file -
      planned\tteams\tada.auditor@example.com\tacme\tou-ada\taudit\tplatform\t\t\t
      planned\tremove\ttara.team-manager@example.com\tacme\tou-tara\tsecurity\t\t\t\t
      planned\tremove\tivan.invitee@example.com\tacme\tou-ivan\tplatform\t\t\t\t
      planned\tinvite\tana@example.com\tacme\t\tplatform,security\t\t\t\t
      ! Would add ada.auditor@example.com to platform (acme)
      ! Would remove tara.team-manager@example.com (active; security; 2FA off) from acme
      ! Would remove ivan.invitee@example.com (invited; platform) from acme
      ! Would invite ana@example.com to acme (platform, security)
      ! 4 people: 4 planned.
      ! Nothing was sent.
    `);

  test('as programs read it, each row with what became of it', () =>
    transcript({ stdin: ROSTER })`
      $ members apply --prune --yes --file - -o ndjson
      {"id":"ou-ada","type":"organization-memberships","action":"teams","email":"ada.auditor@example.com","organization":{"id":"acme","type":"organizations"},"teams":[{"id":"team-audit","type":"teams","name":"audit"}],"status":"active","user":{"id":"user-ada","type":"users","username":"ada-auditor","is-service-account":false,"two-factor":{"enabled":false}},"teams-add":[{"id":"team-platform","type":"teams","name":"platform"}],"teams-remove":[],"changed":true,"result":"changed"}
      {"id":"ou-tara","type":"organization-memberships","action":"remove","email":"tara.team-manager@example.com","organization":{"id":"acme","type":"organizations"},"teams":[{"id":"team-security","type":"teams","name":"security"}],"status":"active","user":{"id":"user-tara","type":"users","username":"tara-team-manager","is-service-account":false,"two-factor":{"enabled":false}},"changed":true,"result":"removed"}
      {"id":"ou-ivan","type":"organization-memberships","action":"remove","email":"ivan.invitee@example.com","organization":{"id":"acme","type":"organizations"},"teams":[{"id":"team-platform","type":"teams","name":"platform"}],"status":"invited","user":{"id":"user-ivan","type":"users","is-service-account":false},"changed":true,"result":"removed"}
      {"id":"ou-1","type":"organization-memberships","status":"invited","email":"ana@example.com","created-at":"2026-11-21T09:00:00.000Z","teams":[{"id":"team-platform","type":"teams","name":"platform"},{"id":"team-security","type":"teams","name":"security"}],"user":{"id":"user-1","type":"users","username":null,"is-service-account":false,"auth-method":"tfc","avatar-url":null,"two-factor":{"enabled":false,"verified":false},"email":"ana@example.com","permissions":{"can-create-organizations":false,"can-change-email":true,"can-change-username":true,"can-manage-user-tokens":false}},"organization":{"id":"acme","type":"organizations"},"action":"invite","changed":true,"result":"invited"}
      ! {"note":{"message":"- remove tara.team-manager@example.com (active; security; 2FA off); - remove ivan.invitee@example.com (invited; platform); + invite ana@example.com (platform, security); ~ ada.auditor@example.com: add to platform"}}
      ! {"note":{"message":"4 people: 1 changed, 2 removed, 1 invited."}}
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"}]}
      > DELETE /organization-memberships/ou-tara
      > DELETE /organization-memberships/ou-ivan
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"},{"type":"teams","id":"team-security"}]}}}}
    `);

  test('off a terminal without --yes shows the plan and is refused', () =>
    transcript({ stdin: ROSTER })`
      $ members apply --prune --file -
      ! orgctl: this needs confirmation, and there is no terminal to ask at: Apply these 4 changes to acme?
      !   ${ALL.join('\n      !   ')}
      !   → Add --yes, or --dry-run to preview.
      = 2
    `);

  test('at a terminal is asked for', () =>
    transcript({
      files: { 'r.yaml': ROSTER, no: 'n\n', yes: 'y\n' },
      tty: { stdin: true, stderr: true },
      // No terminal to redraw a line on.
      env: { TERM: 'dumb' },
    })`
      $ members apply --prune --file r.yaml < no
      ! remove tara.team-manager@example.com (active; security; 2FA off)
      ! remove ivan.invitee@example.com (invited; platform)
      ! invite ana@example.com (platform, security)
      ! ada.auditor@example.com: add to platform
      ! \u001b[1G\u001b[0JApply these 4 changes to acme? [y/N] \u001b[38Gn\r
      ! Cancelled. Nothing was changed.
      = 3
      $ members apply --prune --file r.yaml --fields result < yes 2>/dev/null
      changed
      removed
      removed
      invited
      > ${ADD_ADA}
      > DELETE /organization-memberships/ou-tara
      > DELETE /organization-memberships/ou-ivan
      > ${INVITE_ANA}
    `);

  test('an organization that is full has room for whom a removal makes it', () =>
    transcript({
      stdin: toText(
        'members:',
        ...['olive.owner', 'milo.member', 'tara.team-manager', 'rex.registry-manager'].map(
          (name) => `- ${name}@example.com`,
        ),
        ...['ana', 'ben', 'cy'].map((name) => `- {email: ${name}@example.com, teams: [platform]}`),
      ),
    })`
      $ --org initech members apply --prune --yes --file - --fields email,result,error.code 2>/dev/null
      peter.programmer@example.com\tremoved\t
      ana@example.com\tinvited\t
      ben@example.com\tfailed\torganization-limit
      cy@example.com\tnot-attempted\t
      > DELETE /organization-memberships/ou-peter.initech
      > POST /organizations/initech/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform.initech"}]}}}}
      > POST /organizations/initech/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ben@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform.initech"}]}}}}
      = 10
    `);

  test('no one is invited before every removal has ended', async () => {
    const service = await startService();
    let removing = 0;
    const early: string[] = [];
    const front = await startFront(service.sandbox, async (passing) => {
      if (passing.method === 'POST' && removing > 0) early.push(passing.target);
      if (passing.method === 'DELETE') removing += 1;
      const reply = await passing.act();
      if (passing.method === 'DELETE') passing.outgoing.on('finish', () => (removing -= 1));
      passing.send(reply);
    });
    const people = Array.from({ length: 12 }, (_, index) => `- {email: p${index}@example.com, teams: [platform]}\n`);
    const { code, stderr } = await service.run(['members', 'apply', '--prune', '--yes', '--file', '-'], {
      stdin: `members:\n- olive.owner@example.com\n${people.join('')}`,
      env: { ORGCTL_BASE_URL: front.url },
    });
    expect(code, stderr).toBe(0);
    expect(front.done.map((request) => request.split(' ')[0])).toEqual([
      ...Array(5).fill('DELETE'),
      ...Array(12).fill('POST'),
    ]);
    expect(early).toEqual([]);
  });
});

describe('nothing at all is sent', () => {
  const ALONE = 'members: [olive.owner@example.com]\n';
  const plan = (steps: readonly object[]): Readonly<Record<string, string>> => ({ 'plan.json': JSON.stringify(steps) });
  const shown = (name: string, email: string, team: string, status = 'active') => ({
    action: 'remove',
    id: `ou-${name}`,
    email: `${email}@example.com`,
    status,
    teams: [{ id: `team-${team}`, name: team }],
    'teams-add': [],
    'teams-remove': [],
    organization: { id: 'acme' },
  });

  const NO_ONE = 'stdin names no one: --prune would remove everyone from acme';
  const WHOLE = '--init prints YAML, or JSON with -o json, and takes no --fields';
  const OWNERS_UNSEEN = "orgctl can't see who owns acme, so it removes no one";
  const INCOMPLETE = "can't list the members of acme completely: ";

  test.each<[argv: string, roster: string, message: string]>([
    ['apply --yes', '', 'missing --file (the roster)'],
    ['plan', '', 'missing --file (the roster) or --init'],
    ['apply --yes --file none.yaml', '', "can't read none.yaml: it doesn't exist"],
    ['apply --yes', '\n', 'stdin is empty'],
    ['apply --prune --yes', 'members: []\n', NO_ONE],
    ['plan --prune', '{"members": []}', NO_ONE],
    ['apply --prune --yes', 'email,teams\n', NO_ONE],
    ['apply --yes', 'members: [ana, "ben@"]\n', "stdin: 1 line can't be used"],
    ['apply --yes', 'members: [{email: a@b.example, teams: [plattform]}]\n', "acme has no team 'plattform'"],
    ['apply --yes', '["a@b.example", {"email": "c@b.example"}]', "stdin: 2 entries can't be used"],
    ['apply --max-removals 3 --yes', ALONE, '--max-removals works only with --prune'],
    ['apply --prune --max-removals all --yes', ALONE, "--max-removals takes a whole number, not 'all'"],
    [
      'apply --prune --max-removals 4 --yes',
      ALONE,
      'stdin would remove 5 people from acme; the limit is 4 (--max-removals)',
    ],
    [
      'apply --prune --max-removals 0 --yes',
      ALONE,
      'stdin would remove 5 people from acme; the limit is 0 (--max-removals)',
    ],
    ['plan --init', ALONE, 'use --init or --file, not both'],
    ['plan --init -o csv', '', WHOLE],
    ['plan --init --fields email', '', WHOLE],
    ['apply --yes --fields nick', ALONE, 'unknown field: nick'],
    ['apply --plan - --yes', ALONE, "--file and --plan can't both be stdin"],
  ])('members %s, given %j', async (argv, roster, message) => {
    await expectNothingSent(argv, roster, message);
  });

  test.each<[what: string, argv: string, message: string, options: Options, code?: number]>([
    [
      'with a plan that is none',
      'apply --plan plan.json --yes',
      'plan.json is not a plan: it is not an array',
      { files: { 'plan.json': '{}' } },
    ],
    [
      'with a plan that does not show a removal',
      'apply --prune --plan plan.json --yes',
      'acme or the roster changed after plan.json was made',
      {
        files: plan([
          shown('milo', 'milo.member', 'audit'),
          shown('tara', 'tara.team-manager', 'security'),
          shown('rex', 'rex.registry-manager', 'platform'),
          shown('ada', 'ada.auditor', 'audit'),
        ]),
      },
    ],
    [
      'when no address is seen',
      'apply --prune --yes',
      "this service doesn't show the email addresses of acme's members",
      { service: alterMembers((member) => withEmail(member, null)) },
    ],
    [
      'when the caller is unknown',
      'apply --prune --yes',
      "orgctl can't see which member of acme you are, so it removes no one",
      { service: refuse(/^\/api\/v2\/(organization-memberships|account\/details)$/) },
    ],
    [
      'by an unknown token',
      'apply --yes',
      '127.0.0.1:PORT rejected your token (from ORGCTL_TOKEN)',
      { env: { ORGCTL_TOKEN: 'unknown' } },
      4,
    ],
    ['when writes are switched off', 'apply --prune --yes', '', { env: { ORGCTL_READ_ONLY: '1' } }],
  ])('%s', async (_, argv, message, options, code = 2) => {
    await expectNothingSent(argv, ALONE, message, options, code);
  });

  describe.each(['apply --prune --yes', 'plan --prune'])('of %s', (argv) => {
    test.each<[why: string, service: Options['service']]>([
      ['cannot be read', { documentOnly: true }],
      ['are no team of that name', alterList('/acme/teams', (team) => withAttribute(team, 'name', 'people'))],
      ['have no member that is seen', alterMembers((member) => ({ ...member, relationships: {} }))],
    ])('when the owners %s', (_why, service) => expectNothingSent(argv, ALONE, OWNERS_UNSEEN, { service }));

    test('when the list keeps changing', () =>
      expectNothingSent(argv, ALONE, INCOMPLETE, { service: alterTotal() }, 10));
  });

  async function expectNothingSent(argv: string, roster: string, message: string, options: Options = {}, code = 2) {
    const { result, writes } = await run(`members ${argv}`, roster, options);
    expect({ code: result.code, stdout: result.stdout }, result.stderr).toEqual({ code, stdout: '' });
    expect(result.stderr).toContain(`orgctl: ${message}`);
    expect(writes).toEqual([]);
  }
});

describe('a removal that is left out', () => {
  const NOBODY = 'members: [{email: new@example.com, teams: [platform]}]\n';

  test.each<[as: CallerKind, kept: readonly string[]]>([
    ['owner', ['olive']],
    ['owners-team', ['olive']],
    ['org-token', ['olive']],
    ['team-manager', ['olive', 'tara']],
  ])('of an owner, or of the caller: %s', async (as, kept) => {
    const { result, writes, service } = await run('members apply --prune --yes --fields action,email', NOBODY, { as });
    expect(result.code, result.stderr).toBe(0);
    const gone = ['olive', 'milo', 'tara', 'rex', 'ada', 'ivan'].filter((name) => !kept.includes(name));
    expect(writes.slice(0, -1)).toEqual(gone.map((name) => `DELETE /organization-memberships/ou-${name}`));
    const plan = await service.run(['members', 'plan', '--prune', '--file', '-', '-o', 'table'], { stdin: NOBODY, as });
    expect(plan.code, plan.stderr).toBe(0);
    expect(plan.stdout.trimEnd().split('\n').sort()).toEqual(
      [
        `= keep olive.owner@example.com: ${as === 'owner' ? 'this is you' : 'an owner'}`,
        ...(kept.includes('tara') ? [`= keep ${TARA}: this is you`] : []),
      ].sort(),
    );
    expect(plan.stderr).toBe(
      `Plan for acme from stdin: no changes; 1 unchanged, ${kept.length} kept though not in the roster.\n`,
    );
  });

  test.each<[who: string, options: Options, kept: string]>([
    [
      'the caller, known by the account alone',
      { as: 'team-manager', service: refuse(/^\/api\/v2\/organization-memberships$/) },
      `${TARA}: this is you`,
    ],
    [
      'a member whose address no roster can hold',
      {
        service: alterMembers((member, index) =>
          index === 1 ? withEmail(member, 'root@localhost') : index === 2 ? withEmail(member, null) : member,
        ),
      },
      "root@localhost: a row may mean them by an address that can't be seen",
    ],
  ])('of %s', async (_who, options, kept) => {
    const { result } = await run('members plan --prune -o table', NOBODY, options);
    expect(result.stdout).toContain(`= keep ${kept}\n`);
  });

  test('by a caller without permission: the service refuses each, and each has its row', async () => {
    const { result, service } = await run('members apply --prune --yes --fields action,result', NOBODY, {
      as: 'registry-manager',
    });
    expect(result.code).toBe(5);
    expect(new Set(result.stdout.trimEnd().split('\n'))).toEqual(new Set(['remove\tfailed', 'invite\tfailed']));
    const { body } = await service.ask('GET', '/organizations/acme/organization-memberships');
    expect((body as { data: unknown[] }).data.length).toBe(6);
  });
});

describe('each removal is read again just before', () => {
  const ALONE =
    'members: [olive.owner@example.com, milo.member@example.com, tara.team-manager@example.com, rex.registry-manager@example.com]\n';

  test('and left where it is not what was shown', async () =>
    transcript({ stdin: ALONE, service: await startChanging(({ sandbox }) => sandbox.accept(IVAN, 'acme')) })`
      $ members apply --prune --yes --file - -o ndjson
      {"id":"ou-ada","type":"organization-memberships","action":"remove","email":"ada.auditor@example.com","organization":{"id":"acme","type":"organizations"},"teams":[{"id":"team-audit","type":"teams","name":"audit"}],"status":"active","user":{"id":"user-ada","type":"users","username":"ada-auditor","is-service-account":false,"two-factor":{"enabled":false}},"changed":true,"result":"removed"}
      {"id":"ou-ivan","type":"organization-memberships","action":"remove","email":"ivan.invitee@example.com","organization":{"id":"acme","type":"organizations"},"teams":[{"id":"team-platform","type":"teams","name":"platform"}],"status":"invited","user":{"id":"user-ivan","type":"users","is-service-account":false},"changed":false,"result":"failed","error":{"code":"changed-meanwhile","message":"ivan.invitee@example.com changed after the plan was made, and was not removed; status: invited in the plan, now active"}}
      ! {"note":{"message":"- remove ada.auditor@example.com (active; audit; 2FA off); - remove ivan.invitee@example.com (invited; platform)"}}
      ! {"note":{"message":"2 people: 1 removed, 1 failed."}}
      ! {"error":{"code":"incomplete","exit":10,"message":"1 of 2 failed","reasons":["ivan.invitee@example.com changed after the plan was made, and was not removed; status: invited in the plan, now active"],"hint":"Run members plan again, and check it.","items":[{"item":"ivan.invitee@example.com","code":"changed-meanwhile","exit":10,"message":"ivan.invitee@example.com changed after the plan was made, and was not removed","reasons":["status: invited in the plan, now active"],"hint":"Run members plan again, and check it."}]}}
      > DELETE /organization-memberships/ou-ada
      = 10
    `);

  test('and is no failure where somebody else was quicker', async () =>
    transcript({ stdin: ALONE, service: await startChanging(leave('ou-ada')) })`
      $ members apply --prune --yes --file - --fields email,changed,result 2>/dev/null
      ada.auditor@example.com\tfalse\tabsent
      ivan.invitee@example.com\ttrue\tremoved
      > DELETE /organization-memberships/ou-ivan
    `);

  test('and an owner by then stays', () =>
    transcript({
      stdin: ALONE,
      service: alterOne('ada.auditor@example.com', (member, owners) => ({
        ...member,
        relationships: { ...(member['relationships'] as Json), teams: { data: [{ id: owners, type: 'teams' }] } },
      })),
    })`
      $ members apply --prune --yes --file - --fields email,result,error.code 2>/dev/null
      ada.auditor@example.com\tfailed\tchanged-meanwhile
      ivan.invitee@example.com\tremoved\t
      > DELETE /organization-memberships/ou-ivan
      = 10
    `);

  test('and another person under the same id stays', () =>
    transcript({ stdin: ALONE, service: alterOne(IVAN, (member) => withEmail(member, 'eve@example.com')) })`
      $ members apply --prune --yes --file - --fields email,result,error.code 2>/dev/null
      ada.auditor@example.com\tremoved\t
      ivan.invitee@example.com\tfailed\tchanged-meanwhile
      > DELETE /organization-memberships/ou-ada
      = 10
    `);
});

describe('teams', () => {
  const MOVE = toText(
    'members:',
    '- {email: milo.member@example.com, teams: [platform]}',
    '- {email: ada.auditor@example.com, teams: [platform, audit]}',
    '- {email: olive.owner@example.com, teams: []}',
  );

  test('that a row names are added, and others stay, which is counted', () =>
    transcript({ stdin: MOVE })`
      $ members apply --yes --file -
      changed\tteams\tmilo.member@example.com\tacme\tou-milo\taudit\tplatform\t\t\t
      changed\tteams\tada.auditor@example.com\tacme\tou-ada\taudit\tplatform\t\t\t
      ! Left as they are: 3 not in the roster (--prune removes them), 2 also in other teams.
      ! ~ milo.member@example.com: add to platform
      ! ~ ada.auditor@example.com: add to platform
      ! 2 people: 2 changed.
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-milo"},{"type":"organization-memberships","id":"ou-ada"}]}
      $ members plan --file - -o table
      = leave tara.team-manager@example.com: not in the roster
      = leave rex.registry-manager@example.com: not in the roster
      = leave ivan.invitee@example.com: not in the roster
      = leave olive.owner@example.com in owners: not in their row
      = leave milo.member@example.com in audit: not in their row (--prune-teams removes)
      ! Plan for acme from stdin: no changes; 3 unchanged, 3 not in the roster, 2 also in other teams.
    `);

  test('whose last team is gone are said to be in no other', () =>
    transcript({ stdin: 'members:\n  - email: milo.member@example.com\n    teams: []\n' })`
      $ members apply --yes --prune-teams --file - -o table
      ✓ Removed milo.member@example.com from audit (acme); they are in no other team that you can see
      ! Left as they are: 5 not in the roster (--prune removes them).
      ! ~ milo.member@example.com: remove from audit
      ! 1 person: 1 changed.
      > DELETE /teams/team-audit/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-milo"}]}
    `);
  test('that it does not name are left with --prune-teams, but never owners', () =>
    transcript({ stdin: MOVE })`
      $ members apply --yes --prune-teams --file - -o table
      ✓ Added milo.member@example.com to platform and removed them from audit (acme)
      ✓ Added ada.auditor@example.com to platform (acme)
      ! Left as they are: 3 not in the roster (--prune removes them), 1 kept in other teams.
      ! ~ milo.member@example.com: add to platform; remove from audit
      ! ~ ada.auditor@example.com: add to platform
      ! 2 people: 2 changed.
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-milo"},{"type":"organization-memberships","id":"ou-ada"}]}
      > DELETE /teams/team-audit/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-milo"}]}
      $ members plan --prune-teams --file - -o table
      = leave tara.team-manager@example.com: not in the roster
      = leave rex.registry-manager@example.com: not in the roster
      = leave ivan.invitee@example.com: not in the roster
      = leave olive.owner@example.com in owners: not in their row
      ! Plan for acme from stdin: no changes; 3 unchanged, 3 not in the roster, 1 kept in other teams.
    `);

  test('of many people change with one request for each team and direction, beside the readings', async () => {
    const service = await startService({ seed: { kind: 'members', count: 150 } });
    const list = async (teams: string) => {
      const { stdout } = await service.run(['members', 'list', '--fields', 'id,email', '-o', 'tsv']);
      const rows = stdout
        .trimEnd()
        .split('\n')
        .filter((line) => /\tperson-|\tmember/.test(line));
      return { rows, roster: toText('id,teams', ...rows.map((line) => `${line.split('\t')[0]},${teams}`)) };
    };
    const { rows, roster } = await list('security');
    expect(rows.length).toBeGreaterThan(100);
    const from = service.requests.length;
    const apply = ['members', 'apply', '--yes', '--prune-teams', '--max-removals', '1000', '--file', '-'];
    const { code, stderr } = await service.run(apply, { stdin: roster });
    expect(code, stderr).toBe(0);
    const sent = service.requests.slice(from).map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`);
    const count = (pattern: RegExp) => sent.filter((request) => pattern.test(request)).length;
    const chunks = Math.ceil(rows.length / 100);
    expect(count(/^POST /)).toBe(chunks);
    // The teams, the members, who the caller is, and each team once before people leave it.
    const left = new Set(sent.filter((request) => request.startsWith('DELETE ')).map((request) => request));
    expect(count(/^DELETE /)).toBeLessThanOrEqual(left.size * chunks);
    expect(count(/^GET \/api\/v2\/teams\//)).toBeLessThanOrEqual(left.size * (chunks + 1));
    expect(count(/^GET /) - count(/^GET \/api\/v2\/teams\//)).toBe(2 + Math.ceil((rows.length + 6) / 100));
    const plan = await service.run(['members', 'plan', '--prune-teams', '--file', '-'], { stdin: roster });
    expect(plan).toMatchObject({ code: 0, stdout: '' });
  });

  test('people who leave a team count among the removals, each once', () =>
    transcript({
      stdin: `members: [{id: ou-milo, teams: []}, {id: ou-ada, teams: []}, {id: ou-rex, teams: []}]`,
    })`
      $ members apply --yes --prune --prune-teams --max-removals 4 --file -
      ! orgctl: stdin would remove 2 people from acme and 3 from teams; the limit is 4 (--max-removals)
      !   - remove tara.team-manager@example.com (active; security; 2FA off)
      !   - remove ivan.invitee@example.com (invited; platform)
      !   ~ milo.member@example.com: remove from audit
      !   ~ rex.registry-manager@example.com: remove from platform
      !   ~ ada.auditor@example.com: remove from audit
      !   → Nothing was sent. To remove them all, add --max-removals 5.
      = 2
      $ members apply --yes --prune-teams --max-removals 2 --file -
      ! orgctl: stdin would remove 3 people from teams; the limit is 2 (--max-removals)
      !   ~ milo.member@example.com: remove from audit
      !   ~ rex.registry-manager@example.com: remove from platform
      !   ~ ada.auditor@example.com: remove from audit
      !   → Nothing was sent. To remove them all, add --max-removals 3.
      = 2
    `);

  test('where their routes answer 404, fail in their rows, and --prune-teams is refused', () =>
    transcript({
      service: { documentOnly: true },
      stdin: 'members: [{user: milo-member, teams: [team-platform]}, {email: a@b.example, teams: [team-audit]}]',
      files: {
        'known.yaml': 'members: [olive.owner@example.com, {email: ana@example.com, teams: [team-platform]}]',
      },
    })`
      $ members apply --yes --file - --fields result,email,error.message 2>/dev/null
      failed\tmilo.member@example.com\tcan't add milo.member@example.com to team-platform. Your token can't see the teams of acme, or this service has no routes for them (404).
      invited\ta@b.example\t
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"a@b.example"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit"}]}}}}
      = 10
      $ members plan --prune-teams --file -
      ! orgctl: the teams of acme can't be read, so --prune-teams takes no one out of a team
      !   Your token can't see its teams, or this service doesn't list teams.
      !   → Nothing was sent. Leave --prune-teams out.
      = 2
      $ members apply --yes --file known.yaml --fields result,email 2>/dev/null
      invited\tana@example.com
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"}]}}}}
    `);

  test('that the service does not let change fail in their rows, and no one leaves another for them', () =>
    transcript({
      stdin: MOVE,
      service: {
        alter: (answer, request) =>
          request.method === 'POST' && request.url.includes('/teams/')
            ? Response.json({ errors: [{ status: '403', title: 'forbidden' }] }, { status: 403 })
            : answer,
      },
    })`
      $ members apply --yes --prune-teams --file - --fields result,email,error.code 2>/dev/null
      failed\tmilo.member@example.com\tforbidden
      failed\tada.auditor@example.com\tforbidden
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-milo"},{"type":"organization-memberships","id":"ou-ada"}]}
      = 6
    `);

  test('of an organization that is managed in HCP say so', () =>
    transcript({ stdin: 'members: [{email: milo.member@example.com, teams: [platform]}]' })`
      $ --org initech members apply --yes --file -
      failed\tteams\tmilo.member@example.com\tinitech\tou-milo.initech\taudit\t\t\tmanaged-in-hcp\tmilo.member@example.com: the teams of initech are managed in HCP
      ! Left as they are: 4 not in the roster (--prune removes them), 1 also in other teams.
      ! ~ milo.member@example.com: add to platform
      ! 1 person: 1 failed.
      ! orgctl: the teams of initech are managed in HCP
      !   Service: 403 forbidden: The organization is managed by HCP (request request-1).
      !   → Change the groups of the HCP organization.
      > POST /teams/team-platform.initech/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-milo.initech"}]}
      = 6
    `);

  test('a roster of an organization with SSO and SCIM plans nothing, and what they manage is left', () =>
    transcript({
      stdin: toText(
        'members:',
        '- {email: gina.globex@example.com, teams: [platform, network]}',
        '- {email: sam.sso@example.com, teams: [platform]}',
        '- {email: new@example.com, teams: [data]}',
      ),
    })`
      $ --org globex members plan --init > all.yaml
      $ --org globex members plan --file all.yaml
      ! Plan for globex from all.yaml: no changes; 10 unchanged.
      $ --org globex members plan --file all.yaml --prune
      ! Plan for globex from all.yaml: no changes; 10 unchanged.
      $ --org globex members plan --file all.yaml --prune --prune-teams
      ! Plan for globex from all.yaml: no changes; 10 unchanged.
      $ --org globex members plan --file all.yaml --prune --prune-teams --include-managed
      ! Plan for globex from all.yaml: no changes; 10 unchanged.
      $ --org globex members apply --yes --prune-teams --file - -o table
      ✓ Added sam.sso@example.com to platform (globex)
      ! Left as they are: 8 not in the roster (--prune removes them), 1 kept in other teams, 1 not in a team that is managed elsewhere, 1 not invited, since their teams are managed elsewhere.
      ! ~ sam.sso@example.com: add to platform
      ! 1 person: 1 changed.
      > POST /teams/team-platform.globex/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-sam.globex"}]}
      $ --org globex members plan --prune-teams --file -
      ! Plan for globex from stdin: no changes; 2 unchanged, 8 not in the roster, 1 kept in other teams, 1 not in a team that is managed elsewhere, 1 not invited, since their teams are managed elsewhere.
    `);

  test('with --include-managed service accounts go as all others do', () =>
    transcript({
      stdin: `members: ${JSON.stringify(
        ['olive.owner', 'milo.member', 'tara.team-manager', 'rex.registry-manager', 'gina.globex', 'noor.newcomer']
          .concat(['sam.sso', 'priya.provisioned', 'ines.inactive'])
          .map((name) => `${name}@example.com`),
      )}\n`,
    })`
      $ members apply --org globex --prune --max-removals 20 --include-managed --yes --file - -q --fields result,id
      removed\tou-service.globex
      > DELETE /organization-memberships/ou-service.globex
      $ members plan --org globex --prune --include-managed --file -
      ! Plan for globex from stdin: no changes; 9 unchanged.
    `);

  describe('are read once more before anyone leaves them', () => {
    const LEAVE = 'members: [{email: ivan.invitee@example.com, teams: []}, {user: rex-registry-manager, teams: []}]';

    test('and who is no longer whom the plan showed stays', async () =>
      transcript({ stdin: LEAVE, service: await startChanging(({ sandbox }) => sandbox.accept(IVAN, 'acme')) })`
        $ members apply --yes --prune-teams --file - --fields email,result,teams-remove,error.message 2>/dev/null
        rex.registry-manager@example.com\tchanged\tplatform\t
        ivan.invitee@example.com\tfailed\t\tivan.invitee@example.com changed after the plan was made, and was not removed from platform; status: invited in the plan, now active
        > DELETE /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-rex"}]}
        = 10
      `);

    test('and is no failure where someone else was quicker', async () =>
      transcript({
        stdin: LEAVE,
        service: await startChanging(({ ask }, real) =>
          ask('DELETE', real('/teams/team-platform/relationships/organization-memberships'), 'owner', {
            data: [{ type: 'organization-memberships', id: real('ou-ivan') }],
          }),
        ),
      })`
        $ members apply --yes --prune-teams --file - --fields email,result,teams-remove,error.code 2>/dev/null
        rex.registry-manager@example.com\tchanged\tplatform\t
        ivan.invitee@example.com\tunchanged\t\t
        > DELETE /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-rex"}]}
      `);
  });

  test('that the plan which was looked at does not show are not changed', () =>
    transcript({ stdin: MOVE })`
      $ members plan --file - -o json > plan.json 2>/dev/null
      = 13
      $ members apply --file - --yes --plan plan.json --prune-teams
      ! orgctl: acme or the roster changed after plan.json was made
      !   Not in plan.json:
      !   ~ milo.member@example.com: add to platform; remove from audit
      !   → Nothing was sent. Make the plan again with members plan -o json, and check it.
      = 2
      $ members apply --file - --yes --plan plan.json --fields result,email 2>/dev/null
      changed\tmilo.member@example.com
      changed\tada.auditor@example.com
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-milo"},{"type":"organization-memberships","id":"ou-ada"}]}
    `);

  test('are not changed by the plan of another organization, which is named', () =>
    transcript({ stdin: MOVE })`
      $ members plan --file - -o json > plan.json 2>/dev/null
      = 13
      $ members apply --org globex --file - --yes --plan plan.json --prune
      ! orgctl: plan.json is a plan of acme, not of globex
      !   → Nothing was sent. Name its organization with --org, or make a plan of this one with members plan -o json.
      = 2
    `);

  test('are changed where a run was interrupted, by the same command again', async () => {
    let interrupt = (): void => undefined;
    let armed = true;
    const service = await startService({
      alter(answer, request) {
        if (armed && request.method === 'POST' && request.url.includes('/teams/')) {
          armed = false;
          interrupt();
        }
        return answer;
      },
    });
    const apply = ['members', 'apply', '--yes', '--prune-teams', '--file', '-'];
    const first = await service.run(apply, {
      stdin: MOVE,
      onStart: (signal) => {
        interrupt = () => signal('SIGINT');
      },
    });
    expect([first.code, armed]).toEqual([130, false]);
    expect(await service.run(apply, { stdin: MOVE })).toMatchObject({ code: 0 });
    expect(await service.run(['members', 'plan', '--prune-teams', '--file', '-'], { stdin: MOVE })).toMatchObject({
      code: 0,
      stdout: '',
    });
  });
});

test('everything wrong in a roster is said at once', () =>
  transcript({
    stdin: toText(
      'members:',
      '- {email: olive}',
      '- {email: ana@example.com, teams: [plattform]}',
      '- {user: nobody, teams: [audit, team-nowhere, team-0123456789abcdef]}',
      '- {email: eve@example.com}',
      '- {id: ou-milo}',
      '- {email: MILO.member@example.com}',
      '- {email: milo.member@example.com}',
    ),
  })`
    $ members apply --yes --file -
    ! orgctl: stdin: 6 lines can't be used
    !   line 2: 'olive' is not an email address
    !   line 3: acme has no team 'plattform'. Did you mean platform?
    !   line 4: acme has no team 'team-nowhere'
    !   line 4: acme has no team 'team-1'
    !   line 4: acme has no member nobody, and only an email can be invited
    !   line 5: eve@example.com has no team, and an invitation to acme needs one
    !   line 7: MILO.member@example.com is milo.member@example.com, who is in line 6 already
    !   line 8: milo.member@example.com is in line 7 already
    !   → Nothing was sent. Give it as name@example.com. Give members: with a list of {email: ana@example.com, teams: [platform]}. Teams of acme: owners, platform, security, audit.
    = 2
  `);

test('the plan that was looked at is done, as long as it is what there is to do', () =>
  transcript({
    files: {
      'less.yaml': 'members: [olive.owner@example.com]',
      'more.yaml': 'members: [olive.owner@example.com, {email: ana@example.com, teams: [platform]}]',
    },
  })`
    $ members plan --prune --file less.yaml -o json > plan.json 2>/dev/null
    = 13
    $ members apply --prune --file more.yaml --yes --plan plan.json
    ! orgctl: acme or the roster changed after plan.json was made
    !   Not in plan.json:
    !   + invite ana@example.com (platform)
    !   → Nothing was sent. Make the plan again with members plan -o json, and check it.
    = 2
    $ members apply --prune --file less.yaml --yes --plan plan.json --fields result,email 2>/dev/null
    removed\tmilo.member@example.com
    removed\ttara.team-manager@example.com
    removed\trex.registry-manager@example.com
    removed\tada.auditor@example.com
    removed\tivan.invitee@example.com
    > DELETE /organization-memberships/ou-milo
    > DELETE /organization-memberships/ou-tara
    > DELETE /organization-memberships/ou-rex
    > DELETE /organization-memberships/ou-ada
    > DELETE /organization-memberships/ou-ivan
  `);

describe('of several organizations', () => {
  const SEVERAL = toText(
    'organizations:',
    '  globex:',
    '    members:',
    '    - {email: ana@example.com, teams: [platform]}',
    '  acme:',
    '    members:',
    '    - {email: olive.owner@example.com}',
    '    - {email: ada.auditor@example.com, teams: [audit, platform]}',
    '    - {email: ana@example.com, teams: [security]}',
  );

  test('each is planned by its own list, and changed as the plan says', () =>
    transcript({ stdin: SEVERAL, files: { 'rosters.yaml': SEVERAL } })`
      $ members plan --file rosters.yaml -o table --no-color
      + invite ana@example.com to acme (security)
      ~ ada.auditor@example.com in acme: add to platform
      + invite ana@example.com to globex (platform)
      = leave milo.member@example.com in acme: not in the roster
      = leave tara.team-manager@example.com in acme: not in the roster
      = leave rex.registry-manager@example.com in acme: not in the roster
      = leave ivan.invitee@example.com in acme: not in the roster
      = leave olive.owner@example.com in globex: not in the roster
      = leave milo.member@example.com in globex: not in the roster
      = leave tara.team-manager@example.com in globex: not in the roster
      = leave rex.registry-manager@example.com in globex: not in the roster
      = leave gina.globex@example.com in globex: not in the roster
      = leave noor.newcomer@example.com in globex: not in the roster
      = leave sam.sso@example.com in globex: not in the roster
      = leave priya.provisioned@example.com in globex: not in the roster
      = leave ines.inactive@example.com in globex: not in the roster
      = leave api-team_1001 in globex: not in the roster
      ! Plan for 2 organizations from rosters.yaml: 2 to invite, 1 team change; 1 unchanged, 14 not in the roster.
      ! orgctl: 2 organizations differ from rosters.yaml
      !   → Apply the plan; this asks first:
      !   $ orgctl members apply --file rosters.yaml
      = 13
      $ members plan --file rosters.yaml -o json > plan.json 2>/dev/null
      = 13
      $ members apply --file rosters.yaml --plan plan.json --yes --fields organization.id,email,result 2>/dev/null
      acme\tada.auditor@example.com\tchanged
      acme\tana@example.com\tinvited
      globex\tana@example.com\tinvited
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"}]}
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-security"}]}}}}
      > POST /organizations/globex/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform.globex"}]}}}}
    `);

  test('--init writes the rosters of several, which then differ in nothing', () =>
    transcript({ files: {} })`
      $ members plan --init --orgs initech,acme -o json > rosters.json
      $ members plan --file rosters.json --prune --prune-teams
      ! Plan for 2 organizations from rosters.json: no changes; 11 unchanged.
    `);

  test('one list holds for each, and removals are counted together', () =>
    transcript({ stdin: 'members: [olive.owner@example.com, milo.member@example.com]' })`
      $ members apply --file - --prune --orgs acme,globex --max-removals 5 --yes
      ! orgctl: stdin would remove 8 people from 2 organizations; the limit is 5 (--max-removals)
      !   - remove tara.team-manager@example.com (active; security; 2FA off) from acme
      !   - remove rex.registry-manager@example.com (active; platform; 2FA off) from acme
      !   - remove ada.auditor@example.com (active; audit; 2FA off) from acme
      !   - remove ivan.invitee@example.com (invited; platform) from acme
      !   - remove tara.team-manager@example.com (active; security; 2FA off) from globex
      !   - remove rex.registry-manager@example.com (active; platform; 2FA off) from globex
      !   - remove gina.globex@example.com (active; platform; 2FA off) from globex
      !   - remove noor.newcomer@example.com (invited; audit) from globex
      !   → Nothing was sent. To remove them all, add --max-removals 8.
      = 2
    `);

  test('everything wrong in any of them is said at once, and nothing is sent', () =>
    transcript({
      stdin: toText(
        'organizations:',
        '  acme:',
        '    members:',
        '    - {email: ana@example.com, teams: [plattform]}',
        '  globex:',
        '    members:',
        '    - {user: nobody}',
        '    - {email: ana@example.com}',
        '    - {email: eve@example.com, teams: [platform], organization: acme}',
      ),
    })`
      $ members apply --yes --file -
      ! orgctl: stdin: 4 lines can't be used
      !   line 4: acme has no team 'plattform'. Did you mean platform?
      !   line 7: globex has no member nobody, and only an email can be invited
      !   line 8: ana@example.com has no team, and an invitation to globex needs one
      !   line 9: is of acme, and stands under globex
      !   → Nothing was sent. Give members: with a list of {email: ana@example.com, teams: [platform]}. Teams of acme: owners, platform, security, audit.
      = 2
    `);

  test('one that cannot be read is left out, and said', () =>
    transcript({
      service: { alter: hide(/organizations\/initech\//) },
      stdin: `${SEVERAL}  initech:\n    members: []\n`,
    })`
      $ members apply --file - --yes --fields result,organization.id,email,error.code 2>/dev/null
      changed\tacme\tada.auditor@example.com\t
      invited\tacme\tana@example.com\t
      invited\tglobex\tana@example.com\t
      failed\tinitech\t\tnot-found
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"}]}
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-security"}]}}}}
      > POST /organizations/globex/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform.globex"}]}}}}
      = 10
    `);

  test.each([
    ['organizations: {acme: {members: []}}', '--org acme', 'use --org or a file that names organizations, not both'],
    ['organizations: {acme: {members: []}, ACME: {members: []}}', '', 'stdin: ACME is there twice'],
    ['organizations: {acme: {}}', '', 'stdin: acme has no members'],
    ['organizations: {acme: [ana@example.com]}', '', 'stdin: acme has no members'],
    ['organizations: {acme: {members: [], teams: []}}', '', "stdin: acme has keys that a roster doesn't have: teams"],
    ['organizations: {}', '', 'stdin names no organization'],
    ['organizations: acme', '', 'stdin: organizations is not a list of names, each with members'],
    ['organizations: {acme: {members: []}}\nmembers: []', '', "stdin has keys that a roster doesn't have: members"],
    [
      'organization: acme\nmembers: []',
      '--orgs acme,globex',
      'stdin is the roster of acme, and this command is about 2 organizations',
    ],
    ['members: []', '--orgs acme,globex --prune', 'stdin names no one: --prune would remove everyone from acme'],
  ])('%s %s is refused', async (roster, options, message) => {
    const { result, requests } = await run(`members plan ${options}`.trim(), roster);
    expect(result.stderr.split('\n')[0]).toBe(`orgctl: ${message}`);
    expect([result.code, requests]).toEqual([2, 0]);
  });
});

test('text of the service cannot move the cursor', async () => {
  const { result } = await run('members plan --prune --no-color', 'members: [olive.owner@example.com]\n', {
    tty: { stdout: true },
    service: alterMembers((member, index) =>
      index === 0 ? member : withAttribute(member, 'status', 'act\u001b[2Jive\u202e'),
    ),
  });
  expect(result.stdout).toContain('- remove milo.member@example.com (active; team-audit)\n');
  expect(result.stdout).not.toMatch(/[\u001b\u202e]/);
});

/** The items of a list's answers changed before they come back. */
function alterList(path: string, change: (item: Json, index: number) => Json): ServiceOptions {
  return {
    async alter(answer, request) {
      if (!new URL(request.url).pathname.endsWith(path) || request.method !== 'GET' || !answer.ok) return answer;
      const document = (await answer.json()) as { data: readonly Json[] };
      return toAnswer({ ...document, data: document.data.map(change), included: [] });
    },
  };
}

function alterMembers(change: (member: Json, index: number) => Json): ServiceOptions {
  return alterList('/acme/organization-memberships', change);
}

/** A membership that is read by itself; `owners` is the id of that team. */
function alterOne(email: string, change: (member: Json, owners: string) => Json): ServiceOptions {
  let owners = '';
  return {
    async alter(answer, request) {
      const { pathname } = new URL(request.url);
      if (!answer.ok || request.method !== 'GET') return answer;
      if (pathname.endsWith('/acme/teams')) {
        const document = (await answer.json()) as { data: readonly { id: string; attributes: Json }[] };
        owners = document.data.find(({ attributes }) => attributes['name'] === 'owners')?.id ?? '';
        return toAnswer(document);
      }
      if (!/\/organization-memberships\/ou-\w+$/.test(pathname)) return answer;
      const document = (await answer.json()) as { data: Json };
      const isMeant = (document.data['attributes'] as Json)['email'] === email;
      return toAnswer(isMeant ? { ...document, data: change(document.data, owners) } : document);
    },
  };
}

/** Another total with each page, so that no reading is consistent. */
function alterTotal(): ServiceOptions {
  let total = 100;
  return {
    async alter(answer, request) {
      if (!new URL(request.url).pathname.endsWith('/acme/organization-memberships')) return answer;
      const document = (await answer.json()) as { meta: { pagination: Json } };
      total += 1;
      return toAnswer({ ...document, meta: { pagination: { ...document.meta.pagination, 'total-count': total } } });
    },
  };
}

function refuse(path: RegExp): ServiceOptions {
  return {
    alter: (answer, request) =>
      path.test(new URL(request.url).pathname)
        ? Response.json({ errors: [{ status: '404', title: 'not found' }] }, { status: 404 })
        : answer,
  };
}

function withAttribute(item: Json, name: string, value: unknown): Json {
  return { ...item, attributes: { ...(item['attributes'] as Json), [name]: value } };
}

function withEmail(member: Json, email: string | null): Json {
  return withAttribute(member, 'email', email);
}

function toAnswer(document: object): Response {
  return Response.json(document, { headers: { 'content-type': 'application/vnd.api+json' } });
}
