import { expect, test } from 'vitest';
import { parseValues } from '../../src/organizations/attributes.ts';
import { AT_TERMINAL, joinLines } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

test('organizations update sends what differs, reads again, and sends nothing if nothing does', async () => {
  await transcript({ reads: true })`
    $ organizations update session-timeout=60 collaborator-auth-policy=password --yes
    updated\tacme\tsession-timeout\t\t
    > GET /organizations/acme
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"session-timeout":60}}}
    > GET /organizations/acme
    $ organizations update session-timeout=60 -o ndjson
    {"organization":{"id":"acme","type":"organizations"},"attributes":[],"before":{"session-timeout":60},"after":{"session-timeout":60},"changed":false,"result":"unchanged"}
    > GET /organizations/acme
    $ organizations update session-timeout=null collaborator-auth-policy=two_factor_mandatory --yes -o ndjson
    {"organization":{"id":"acme","type":"organizations"},"attributes":["session-timeout","collaborator-auth-policy"],"before":{"session-timeout":60,"collaborator-auth-policy":"password"},"after":{"session-timeout":null,"collaborator-auth-policy":"two_factor_mandatory"},"changed":true,"result":"updated"}
    > GET /organizations/acme
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"session-timeout":null,"collaborator-auth-policy":"two_factor_mandatory"}}}
    > GET /organizations/acme
    $ organizations update session-timeout=5 email=x@example.com -o ndjson --dry-run
    {"organization":{"id":"acme","type":"organizations"},"attributes":["session-timeout","email"],"before":{"session-timeout":null,"email":"platform@acme.example.com"},"after":{"session-timeout":5,"email":"x@example.com"},"changed":false,"result":"planned"}
    > GET /organizations/acme
  `;
  await transcript()`
    $ orgs update session-timeout=60 --org globex,acme --yes
    acme\tupdated\tsession-timeout\t\t
    globex\tupdated\tsession-timeout\t\t
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"session-timeout":60}}}
    > PATCH /organizations/globex {"data":{"type":"organizations","attributes":{"session-timeout":60}}}
    $ orgs update session-timeout=60 --org globex,acme,nope --yes
    acme\tunchanged\t\t\t
    globex\tunchanged\t\t\t
    nope\tfailed\t\tnot-found\tyou are not a member of nope
    ! orgctl: 1 of 3 failed
    !   nope: you are not a member of nope
    !   → Your organizations: acme, globex, initech.
    = 10
    $ orgs update collaborator-auth-policy=two_factor --yes
    failed\tacme\tcollaborator-auth-policy\trejected\tthe service rejected the request; /data/attributes/collaborator-auth-policy: collaborator-auth-policy is invalid
    ! orgctl: the service rejected the request
    !   /data/attributes/collaborator-auth-policy: collaborator-auth-policy is invalid
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"collaborator-auth-policy":"two_factor"}}}
    = 7
    $ AS=member orgs update session-timeout=70 --yes
    failed\tacme\tsession-timeout\tnot-found\tyou don't have permission to change organization acme; Owners and the owners team token can.
    ! orgctl: you don't have permission to change organization acme
    !   Owners and the owners team token can.
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"session-timeout":70}}}
    = 5
  `;
});

test.each<[shown: unknown, text: string, value: unknown]>([
  [60, '5', 5],
  [true, 'false', false],
  ['x@example.com', 'true', 'true'],
  ['x@example.com', '1', '1'],
  ['x@example.com', '', ''],
  [true, 'null', null],
  [null, '60', 60],
  [null, '-1.5', -1.5],
  [null, '1e2', 100],
  [null, '007', '007'],
  [null, '+5', '+5'],
  [null, '.5', '.5'],
  [null, '0x10', '0x10'],
  [null, ' 5', ' 5'],
  [null, '1e999', '1e999'],
  [null, '12345678901234567890', '12345678901234567890'],
  [null, 'NaN', 'NaN'],
  [null, 'true', true],
  [null, 'True', 'True'],
  [null, 'a=b', 'a=b'],
  [null, '', ''],
  [null, 'null', null],
])('where %j is shown, the text %j is %j', (shown, text, value) =>
  expect(parseValues(new Map([['a', text]]), 'acme', { a: shown })).toEqual({ a: value }),
);

test.each([
  [60, '', 'a number'],
  [60, 'true', 'a number'],
  [60, '007', 'a number'],
  [60, '1e999', 'a number'],
  [true, 'yes', 'true or false'],
  [true, '1', 'true or false'],
])('where %j is shown, %j is refused: it must be %s', (shown, text, type) => {
  expect(() => parseValues(new Map([['a', text]]), 'acme', { a: shown })).toThrow(`a must be ${type}, not '${text}'`);
});

test('what is no attribute that can be changed is 2, before the first write', () =>
  transcript({ service: { faults: ['GET globex: without=session-timeout'] } })`
    $ orgs update session-timeout=60 --org acme,globex --yes
    ! orgctl: globex shows no attribute 'session-timeout'
    !   → Did you mean session-remember?
    = 2
    $ orgs update colaborator-auth-policy=password
    ! orgctl: acme shows no attribute 'colaborator-auth-policy'
    !   → Did you mean collaborator-auth-policy?
    = 2
    $ orgs update acme session-timeout=60
    ! orgctl: 'acme' is not attribute=value
    !   → Use --org acme.
    = 2, nothing sent
    $ orgs update constructor=1
    ! orgctl: acme shows no attribute 'constructor'
    !   → orgctl organizations show -o json prints all.
    = 2
    $ orgs update permissions=x
    ! orgctl: permissions can't be changed here: it is no single value
    = 2
    $ orgs update entitlement-set=x
    ! orgctl: acme shows no attribute 'entitlement-set'
    !   → orgctl organizations show -o json prints all.
    = 2
  `);

test('it asks once, naming the organizations', () =>
  transcript({ ...AT_TERMINAL, stdin: 'y\n' })`
    $ orgs update collaborator-auth-policy=two_factor_mandatory
    ! Change acme: collaborator-auth-policy password → two_factor_mandatory? [y/N] ✓ acme: collaborator-auth-policy password → two_factor_mandatory
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"collaborator-auth-policy":"two_factor_mandatory"}}}
    $ orgs update collaborator-auth-policy=two_factor_mandatory
    ! = acme has this already
    $ orgs update collaborator-auth-policy=two_factor_mandatory session-remember=9 --all-orgs
    ! acme: session-remember empty → 9
    ! globex: collaborator-auth-policy password → two_factor_mandatory, session-remember empty → 9
    ! initech: session-remember empty → 9
    ! Change these 3 organizations? [y/N] ✓ acme: session-remember empty → 9
    ! ✓ globex: collaborator-auth-policy password → two_factor_mandatory, session-remember empty → 9
    ! ✓ initech: session-remember empty → 9
    ! 3 organizations: 3 updated
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"session-remember":9}}}
    > PATCH /organizations/globex {"data":{"type":"organizations","attributes":{"collaborator-auth-policy":"two_factor_mandatory","session-remember":9}}}
    > PATCH /organizations/initech {"data":{"type":"organizations","attributes":{"session-remember":9}}}
  `);

test('what did not take effect is 13, and changed only if something did', async () => {
  await transcript({ service: { faults: ['* organizations/acme: with=session-timeout:null'] } })`
    $ orgs update session-timeout=60 --yes -o ndjson
    {"organization":{"id":"acme","type":"organizations"},"attributes":["session-timeout"],"before":{"session-timeout":null},"after":{"session-timeout":null},"changed":false,"result":"failed","error":{"code":"attention","message":"acme accepted the change, but session-timeout is empty"}}
    ! {"error":{"code":"attention","exit":13,"message":"acme accepted the change, but session-timeout is empty"}}
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"session-timeout":60}}}
    = 13
    $ orgs update session-timeout=60 session-remember=9 --yes -o ndjson
    {"organization":{"id":"acme","type":"organizations"},"attributes":["session-timeout","session-remember"],"before":{"session-timeout":null,"session-remember":null},"after":{"session-timeout":null,"session-remember":9},"changed":true,"result":"updated","error":{"code":"attention","message":"acme accepted the change, but session-timeout is empty"}}
    ! {"error":{"code":"attention","exit":13,"message":"acme accepted the change, but session-timeout is empty"}}
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"session-timeout":60,"session-remember":9}}}
    = 13
  `;
});

test('of 50 organizations each gets one PATCH with what differs, and has a row', async () => {
  const policy = 'collaborator-auth-policy';
  const others: Record<string, [fault: string, row: string]> = {
    'org-007': ['PATCH org-007: 403', 'failed,false,forbidden'],
    'org-008': ['PATCH org-008: 404', 'failed,false,not-found'],
    'org-009': ['PATCH org-009: 422', 'failed,false,rejected'],
    'org-013': [`* org-013: with=${policy}:password`, 'failed,false,attention'],
    'org-021': ['GET organizations/org-021: nth=2 401', 'updated,true,attention'],
    'org-033': ['GET organizations/org-033: 500', 'failed,false,unavailable'],
    'org-049': [`GET org-049: with=${policy}:two_factor_mandatory`, 'unchanged,false,'],
  };
  const names = ['acme', 'globex', ...Array.from({ length: 48 }, (_, at) => `org-${String(at + 2).padStart(3, '0')}`)];
  const service = await startService({ faults: Object.values(others).map(([fault]) => fault) });
  for (const name of names.slice(2)) {
    const data = { type: 'organizations', attributes: { name, email: 'it@example.com' } };
    await service.ask('POST', '/organizations', 'owner', { data });
  }
  const fields = 'organization.id,result,changed,error.code';
  const argv = `orgs update ${policy}=two_factor_mandatory --org ${names} --yes -o csv --max-retries 0 --fields ${fields}`;
  const { code, stdout, stderr } = await service.run(argv.split(' '));
  expect(stdout).toBe(joinLines(fields, ...names.map((name) => `${name},${others[name]?.[1] ?? 'updated,true,'}`)));
  expect({ code, first: stderr.split('\n')[0] }).toEqual({ code: 10, first: 'orgctl: 6 of 50 failed' });
  const written = service.requests.filter(({ method }) => method === 'PATCH').map(({ path }) => path.split('/').at(-1));
  // What a fault answers is not counted.
  expect(written.sort()).toEqual(names.filter((name) => !/00[789]|033|049/.test(name)));
});
