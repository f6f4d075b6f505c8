import { describe, expect, test } from 'vitest';
import type { Json } from '../support/demo.ts';
import { failed } from '../support/run.ts';
import { type ServiceOptions, startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const LIST = 'GET /organizations/acme/organization-memberships?';
const PAGE = 'page%5Bsize%5D=100';
const TEAMS = `GET /organizations/acme/teams?${PAGE}`;

/** Who uses two-factor authentication, by user name; of all others the service says nothing. */
function withTwoFactor(enabled: Readonly<Record<string, boolean>>): ServiceOptions {
  return alterUsers(({ username, 'two-factor': _unknown, ...rest }) => {
    const known = enabled[String(username)];
    return { ...rest, username, ...(known === undefined ? {} : { 'two-factor': { enabled: known } }) };
  });
}

function alterUsers(change: (attributes: Json) => Json): ServiceOptions {
  return {
    async alter(answer, request) {
      if (!request.url.includes('include=')) return answer;
      const document = (await answer.json()) as { included?: readonly { type: string; attributes: Json }[] };
      const included = document.included?.map((one) =>
        one.type === 'users' ? { ...one, attributes: change(one.attributes) } : one,
      );
      return Response.json({ ...document, included }, { headers: { 'content-type': 'application/vnd.api+json' } });
    },
  };
}

/** As a service does that sends nothing along, and so no name of a team. */
const NO_INCLUDE: ServiceOptions = {
  alter: (answer, request) =>
    request.url.includes('include=')
      ? Response.json({ errors: [{ status: '400', detail: 'Invalid include parameter' }] }, { status: 400 })
      : answer,
};

describe('--team', () => {
  test('gives the people of a team, by its name in any case or by its id, and reads teams for it alone', () =>
    transcript({ reads: true })`
      $ members list --team AUDIT --fields email
      milo.member@example.com
      ada.auditor@example.com
      > ${TEAMS}
      > ${LIST}include=teams&${PAGE}
      $ members list --team team-audit --fields id
      ou-milo
      ou-ada
      > GET /teams/team-audit
      > ${LIST}include=teams&${PAGE}
      $ members list --team platform --status invited --fields email -o json
      [
        {
          "email": "ivan.invitee@example.com"
        }
      ]
      > ${TEAMS}
      > ${LIST}filter%5Bstatus%5D=invited&include=teams&${PAGE}
      $ members list --fields email --limit 1
      olive.owner@example.com
      > ${LIST}${PAGE}
    `);

  test('a team that is not there: exit 2, as for every command about a team', () =>
    transcript()`
      $ members list --team owner --no-2fa --fields email
      ! orgctl: acme has no team 'owner'
      !   → Did you mean owners? Teams of acme: owners, platform, security, audit.
      = 2
      $ teams members owner
      ! orgctl: acme has no team 'owner'
      !   → Did you mean owners? Teams of acme: owners, platform, security, audit.
      = 2
      $ members list --team audit,platform -o ndjson
      ! {"error":{"code":"usage","exit":2,"message":"acme has no team 'audit,platform'","hint":"Did you mean platform or audit? Teams of acme: owners, platform, security, audit."}}
      = 2
      $ members list --team nothing --all-orgs
      ! orgctl: none of 3 organizations has a team 'nothing'
      !   → See the teams of one:
      !   $ orgctl teams list --org acme
      = 2
      $ members list --team network --all-orgs --fields organization.id,email
      globex\tsam.sso@example.com
      ! (no team network in acme and initech)
      $ members list --team network --orgs acme,globex,nope --fields organization.id,email
      globex\tsam.sso@example.com
      ! (no team network in acme)
      ! orgctl: 1 of 2 organizations failed
      !   you are not a member of nope
      !   Unknown: whether an organization named nope exists. Your organizations: acme, globex, initech.
      = 10
      $ members list --team team-audit --all-orgs
      ! orgctl: with --all-orgs a team is named by its name, not by 'team-audit'
      !   → An id is of one organization.
      = 2, nothing sent
    `);

  test('where no teams are listed, names that come along decide', () =>
    transcript({ service: { documentOnly: true } })`
      $ members list --team audit --fields email
      milo.member@example.com
      ada.auditor@example.com
      $ members list --team audit --orgs acme,globex --fields organization.id,email
      acme\tmilo.member@example.com
      acme\tada.auditor@example.com
      globex\tmilo.member@example.com
      globex\tnoor.newcomer@example.com
    `);

  test('says whom it can not judge', () =>
    transcript({ service: { ...NO_INCLUDE, documentOnly: true } })`
      $ members list --team audit --fields email
      ! warning: this service doesn't send teams along: only ids are known
      ! warning: 6 people left out: the service doesn't say in which teams they are
      $ members list --team team-audit --fields email
      milo.member@example.com
      ada.auditor@example.com
      ! warning: this service doesn't send teams along: only ids are known
    `);
});

describe('--no-2fa', () => {
  const service = withTwoFactor({
    'olive-owner': true,
    'milo-member': false,
    'ada-auditor': false,
    'ivan-invitee': false,
  });

  test('gives the people who have none, and counts those of whom it is unknown, but no invited ones', () =>
    transcript({ service, reads: true })`
      $ members list --no-2fa --fields email
      milo.member@example.com
      ada.auditor@example.com
      ! warning: 2 people left out: the service doesn't say whether they use two-factor authentication
      > ${LIST}include=user&${PAGE}
      $ members list --no-2fa --fields email -o table
      EMAIL
      milo.member@example.com
      ada.auditor@example.com
      ! warning: 2 people left out: the service doesn't say whether they use two-factor authentication
      > ${LIST}include=user&${PAGE}
    `);

  test('goes with a team', () =>
    transcript({ service })`
      $ members list --no-2fa --team owners --fields email
      $ members list --no-2fa --team audit --fields email,user.two-factor.enabled -o ndjson
      {"email":"milo.member@example.com","user.two-factor.enabled":false}
      {"email":"ada.auditor@example.com","user.two-factor.enabled":false}
    `);
});

test.each([
  [
    ['--team', 'audit', '--limit', '1'],
    'use --team or --limit, not both',
    'The service has no such filter: the whole list is read.',
  ],
  [
    ['--no-2fa', '--page', '2'],
    'use --no-2fa or --page, not both',
    'The service has no such filter: the whole list is read.',
  ],
  [
    ['--no-2fa', '--include', 'none'],
    '--include none leaves out what the filter looks at: user',
    'Leave --include out.',
  ],
  [['--team', ' '], '--team is empty', 'Leave --team out to list everything.'],
])('%j is refused', async (argv, message, hint) => {
  const service = await startService();
  const result = await service.run(['members', 'list', ...argv]);
  expect(result).toEqual(failed(2, `orgctl: ${message}\n  → ${hint}\n`));
  expect(service.requests).toEqual([]);
});

test('both go with several organizations', () =>
  transcript()`
    $ members list --orgs acme,globex --team platform --no-2fa --fields organization.id,email
    acme\trex.registry-manager@example.com
    globex\trex.registry-manager@example.com
    globex\tgina.globex@example.com
    globex\tines.inactive@example.com
  `);

test.each([
  ['members list --limit 2', 'Showing 2 of 6.\n'],
  ['members list --status active --limit 2', 'Showing 2 of 5.\n'],
  ['members list --limit 6', ''],
  ['members list --limit 2 -q', ''],
  ['members list --all-orgs --limit 3', 'Showing 3; the limit was reached, so globex and initech were not read.\n'],
  [
    'members list --orgs acme,globex --fields email --limit 7',
    'Showing 7; the limit was reached, so not all of globex was read.\n',
  ],
  [
    'members list --orgs acme,globex --fields email --limit 6',
    'Showing 6; the limit was reached, so globex was not read.\n',
  ],
  [
    'members list --orgs acme,globex --search ada --limit 1',
    'Showing 1; the limit was reached, so globex was not read.\n',
  ],
  ['members list --orgs acme,globex --search gina --limit 1', ''],
  ['members list --page 99 --page-size 4', 'There is no page 99: the list has 2 pages.\n'],
  ['members list --search nobody', 'No members match.\n'],
])('"%s" at a terminal says how many there are where some are left out', async (line, says) => {
  const service = await startService();
  const options = { tty: { stdout: true, stderr: true }, env: { NO_COLOR: '1' } };
  const { stderr } = await service.run(line.split(' '), options);
  expect(stderr.replace(/\u001b\[[\d;?]*[a-zA-Z]/g, '')).toBe(says);
  expect((await service.run(line.split(' '))).stderr).toBe('');
});
