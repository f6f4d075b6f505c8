import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toRequestLines } from '../support/demo.ts';
import { createFolder } from '../support/files.ts';
import { createNames } from '../support/names.ts';
import { failed, toText } from '../support/run.ts';
import { hide, startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

/** aws stays, google and billing are new; random, github and the private ones are too many. */
const LIST = 'providers:\n  - hashicorp/aws\n  - hashicorp/google\n  - private/billing\n';
const POST = 'POST /organizations/acme/registry-providers {"data":{"type":"registry-providers","attributes":';
const POST_GOOGLE = `${POST}{"name":"google","namespace":"hashicorp","registry-name":"public"}}}`;
const POST_BILLING = `${POST}{"name":"billing","namespace":"acme","registry-name":"private"}}}`;
const DELETE = 'DELETE /organizations/acme/registry-providers';
const UNUSABLE =
  "private/acme/billing is listed now, and can't be used until you publish a version with a platform and its files.";
const PRIVATE = '2 private, not in stdin (--prune-private deletes those too)';

describe('providers plan', () => {
  test('as programs read it, and exit 13', () =>
    transcript({ stdin: LIST })`
      $ providers plan --file -
      create\tacme\tpublic/hashicorp/google\t
      create\tacme\tprivate/acme/billing\t
      ! Plan for acme from stdin: 2 to add; 1 unchanged, 4 not in stdin.
      ! orgctl: acme differs from stdin
      !   → Apply the plan with providers apply; this deletes nothing.
      = 13
      $ providers plan --file - --prune
      create\tacme\tpublic/hashicorp/google\t
      create\tacme\tprivate/acme/billing\t
      delete\tacme\tpublic/hashicorp/random\tprov-hashicorp-random
      delete\tacme\tpublic/integrations/github\tprov-integrations-github
      ! Plan for acme from stdin: 2 to add, 2 to delete; 1 unchanged, ${PRIVATE}.
      ! orgctl: acme differs from stdin
      !   → Apply the plan with providers apply; this asks first where something is deleted.
      = 13
      $ providers plan --file - -o ndjson
      {"action":"create","organization":{"id":"acme","type":"organizations"},"address":"public/hashicorp/google","id":null}
      {"action":"create","organization":{"id":"acme","type":"organizations"},"address":"private/acme/billing","id":null}
      ! {"note":{"message":"Plan for acme from stdin: 2 to add; 1 unchanged, 4 not in stdin."}}
      ! {"error":{"code":"drift","exit":13,"message":"acme differs from stdin","hint":"Apply the plan with providers apply; this deletes nothing."}}
      = 13
    `);

  test('as people read it', () =>
    transcript({ stdin: LIST })`
      $ providers plan --file - --prune --prune-private -o table
      + public/hashicorp/google
      + private/acme/billing
      - public/hashicorp/random
      - public/integrations/github
      - private/acme/internal-dns and its versions
      - private/acme/inventory and its versions
      ! Plan for acme from stdin: 2 to add, 4 to delete; 1 unchanged.
      ! orgctl: acme differs from stdin
      !   → Apply the plan with providers apply; this asks first where something is deleted.
      = 13
    `);

  test('of several organizations: those that the file names', () =>
    transcript({
      stdin: 'organizations:\n  globex: {providers: [a/b]}\n  acme: {providers: [a/b]}\n  initech: {providers: []}\n',
    })`
      $ providers plan --file - -o table
      + public/a/b (acme)
      + public/a/b (globex)
      ! Plan for 3 organizations from stdin: 2 to add; 0 unchanged, 8 not in stdin.
      ! orgctl: 2 organizations differ from stdin
      !   → Apply the plan with providers apply; this deletes nothing.
      = 13
    `);

  test('one list for several organizations: private ones of each its own', () =>
    transcript({ stdin: 'providers: [a/b, private/c, A/B]' })`
      $ providers plan --file - --orgs globex,acme --fields organization.id,address
      acme\tpublic/a/b
      acme\tprivate/acme/c
      globex\tpublic/a/b
      globex\tprivate/globex/c
      ! stdin: 1 entry repeats a provider.
      ! Plan for 2 organizations from stdin: 4 to add; 0 unchanged, 7 not in stdin.
      ! orgctl: 2 organizations differ from stdin
      !   → Apply the plan with providers apply; this deletes nothing.
      = 13
    `);

  test('what the printed command does is what was planned', async () => {
    const home = createFolder();
    writeFileSync(join(home, 'p.yaml'), LIST);
    const service = await startService();
    const { stderr } = await service.run(['providers', 'plan', '--file', 'p.yaml', '--prune', '--orgs', 'acme'], {
      home,
    });
    expect(stderr.split('\n').slice(-2)).toEqual(['  $ orgctl providers apply --orgs acme --file p.yaml --prune', '']);
  });

  test('an organization that can not be read: one line, exit 10, and the others', () =>
    transcript({ stdin: 'providers: [a/b]' })`
      $ providers plan --file - --orgs acme,nope
      create\tacme\tpublic/a/b\t
      ! Plan for acme from stdin: 1 to add; 0 unchanged, 5 not in stdin.
      ! orgctl: 1 of 2 organizations failed
      !   you are not a member of nope
      !   Unknown: whether an organization named nope exists. Your organizations: acme, globex, initech.
      = 10
    `);

  test('of a file that names organizations the command to apply it names none', async () => {
    const home = createFolder();
    writeFileSync(join(home, 'p.yaml'), 'organizations: {globex: {providers: [a/b]}}');
    const { code, stderr } = await (await startService()).run(['providers', 'plan', '--file', 'p.yaml', '--prune'], {
      home,
    });
    expect({ code, printed: stderr.slice(stderr.indexOf('→')) }).toEqual({
      code: 13,
      printed: toText(
        '→ Apply the plan; this asks first where something is deleted:',
        '  $ orgctl providers apply --file p.yaml --prune',
      ),
    });
  });

  test('--init prints a file that differs in nothing', async () => {
    const service = await startService();
    const { plain } = await createNames(service.sandbox);
    const { code, stdout } = await service.run(['providers', 'plan', '--init']);
    expect({ code, stdout: plain(stdout) }).toEqual({
      code: 0,
      stdout: toText(
        'providers:',
        '  - hashicorp/aws',
        '  - hashicorp/random',
        '  - integrations/github',
        '  - private/internal-dns',
        '  - private/inventory',
      ),
    });
    const all = await service.run(['providers', 'plan', '--init', '--all-orgs']);
    const again = ['providers', 'plan', '--file', '-', '--prune', '--prune-private'];
    expect(await service.run(again, { stdin: stdout })).toMatchObject({ code: 0, stdout: '' });
    expect(await service.run(again, { stdin: all.stdout })).toMatchObject({ code: 0, stdout: '' });
    expect(
      Object.keys(
        JSON.parse((await service.run(['providers', 'plan', '--init', '--all-orgs', '-o', 'json'])).stdout)
          .organizations,
      ),
    ).toEqual(['acme', 'globex', 'initech']);
  });

  test.each([
    ['plan', 'missing --file (the providers) or --init'],
    ['plan --init --file x', 'use --init or --file, not both'],
    ['plan --init --prune --prune-private', 'use --init without --prune and --prune-private'],
    ['plan --file - --prune-private', '--prune-private works only with --prune'],
    ['apply --file - --max-removals 3', '--max-removals works only with --prune'],
    ['plan --file - --org acme', 'use --org or a file that names organizations, not both'],
    ['plan --file - --orgs acme', 'use --orgs or a file that names organizations, not both'],
    ['apply --file - --all-orgs', 'use --all-orgs or a file that names organizations, not both'],
  ])('%s: exit 2, and nothing is sent', async (words, message) => {
    const service = await startService();
    const stdin = 'organizations: {acme: {providers: []}}';
    const { code, stderr } = await service.run(['providers', ...words.split(' ')], { stdin });
    expect({ code, first: stderr.split('\n')[0], requests: service.requests }).toEqual({
      code: 2,
      first: `orgctl: ${message}`,
      requests: [],
    });
  });
});

test.each(['plan', 'apply'])(
  '%s refuses a name alone that a public provider has too',
  (verb) =>
    transcript({ stdin: 'providers:\n- aws\n- inventory\n- ledger\n- github\n' })`
      $ providers ${verb} --file - --orgs acme,globex
      ! orgctl: stdin: 2 lines can't be used
      !   line 2: aws can mean public/hashicorp/aws or private/acme/aws
      !   line 2: aws can mean public/hashicorp/aws or private/globex/aws
      !   line 5: github can mean public/integrations/github or private/acme/github
      !   → Nothing was sent. Write the address out, such as private/billing.
      = 2
    `,
);

describe('providers apply', () => {
  test('adds without asking', () =>
    transcript({ stdin: LIST })`
      $ providers apply --file -
      created\tcreate\tacme\tpublic/hashicorp/google\tprov-1\t\t
      created\tcreate\tacme\tprivate/acme/billing\tprov-2\t\t
      ! 2 providers: 2 created.
      ! ${UNUSABLE}
      > ${POST_GOOGLE}
      > ${POST_BILLING}
    `);

  test('asks where something is deleted, and with --yes shows it', () =>
    transcript({ stdin: LIST })`
      $ providers apply --file - --prune
      ! orgctl: this needs confirmation, and there is no terminal to ask at: Apply these 4 changes to acme?
      !   + public/hashicorp/google
      !   + private/acme/billing
      !   - public/hashicorp/random
      !   - public/integrations/github
      !   → Add --yes, or --dry-run to preview.
      = 2
      $ providers apply --file - --prune --yes -o table
      ✓ Added public/hashicorp/google to acme
      ✓ Added private/acme/billing to acme
      ✓ Deleted public/hashicorp/random from acme
      ✓ Deleted public/integrations/github from acme
      ! + public/hashicorp/google
      ! + private/acme/billing
      ! - public/hashicorp/random
      ! - public/integrations/github
      ! 4 providers: 2 created, 2 deleted.
      ! ${UNUSABLE}
      > ${POST_GOOGLE}
      > ${POST_BILLING}
      > ${DELETE}/public/hashicorp/random
      > ${DELETE}/public/integrations/github
      $ providers apply --file - --prune --yes
      ! Nothing to do.
      $ providers apply --file - --prune --dry-run -o table
      ! Nothing to do.
    `);

  test('--max-removals counts those of all organizations, and nothing is sent beyond it', () =>
    transcript({
      stdin: 'organizations:\n  acme: {providers: []}\n  globex: {providers: []}\n  initech: {providers: []}\n',
    })`
      $ providers apply --file - --prune --max-removals 3 --yes
      ! orgctl: stdin would delete 4 providers from 2 organizations; the limit is 3 (--max-removals)
      !   - public/hashicorp/aws (acme)
      !   - public/hashicorp/random (acme)
      !   - public/integrations/github (acme)
      !   - public/hashicorp/google (globex)
      !   → Nothing was sent. To delete them all, add --max-removals 4.
      = 2
    `);

  test('a dry run sends nothing, and asks nothing', () =>
    transcript({ stdin: LIST })`
      $ providers apply --file - --prune --dry-run
      planned\tcreate\tacme\tpublic/hashicorp/google\t\t\t
      planned\tcreate\tacme\tprivate/acme/billing\t\t\t
      planned\tdelete\tacme\tpublic/hashicorp/random\tprov-hashicorp-random\t\t
      planned\tdelete\tacme\tpublic/integrations/github\tprov-integrations-github\t\t
      ! Would add public/hashicorp/google to acme
      ! Would add private/acme/billing to acme
      ! Would delete public/hashicorp/random from acme
      ! Would delete public/integrations/github from acme
      ! 4 providers: 4 planned.
      ! Nothing was sent.
    `);

  test('one that was replaced after it was read is not deleted; one that is gone is absent', async () => {
    const service = await startService({
      async alter(answer, request) {
        if (request.method !== 'GET' || !/random|github/.test(request.url)) return answer;
        if (request.url.endsWith('github')) return Response.json({ errors: [{ status: '404' }] }, { status: 404 });
        const { data } = (await answer.json()) as { data: object };
        return Response.json({ data: { ...data, id: 'prov-other' } });
      },
    });
    const { plain } = await createNames(service.sandbox);
    const argv = ['providers', 'apply', '--file', '-', '--prune', '--yes', '--fields', 'result,address,error.code'];
    const { code, stdout } = await service.run(argv, { stdin: 'providers: [hashicorp/aws]' });
    expect({ code, stdout }).toEqual({
      code: 10,
      stdout: toText('failed\tpublic/hashicorp/random\tchanged-meanwhile', 'absent\tpublic/integrations/github\t'),
    });
    expect(toRequestLines(service.requests, { plain }).filter((line) => line.startsWith('DELETE'))).toEqual([]);
  });

  test('an organization that can not be read is a row, and the others are done', () =>
    transcript({
      service: { alter: hide(/organizations\/globex\//) },
      stdin: 'organizations: {acme: {providers: [a/b]}, globex: {providers: [a/b]}}',
    })`
      $ providers apply --file - --fields result,organization.id,address,error.code
      created\tacme\tpublic/a/b\t
      failed\tglobex\t\tnot-found
      ! 1 provider and 1 organization: 1 created, 1 failed.
      ! orgctl: 1 of 2 failed
      !   can't list the providers of globex: not found, or no permission
      !   Unknown: whether the service has no such thing, or doesn't show it to you.
      !   → Try the token of an owner: where that is refused too, the service has none.
      > ${POST}{"name":"b","namespace":"a","registry-name":"public"}}}
      = 10
    `);

  test('where none can be read: the code of all', async () => {
    const service = await startService();
    const { code, stdout } = await service.run(['providers', 'apply', '--file', '-', '--orgs', 'no,none'], {
      stdin: 'providers: [a/b]',
    });
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
  });

  test('read-only: refused before anything is sent', async () => {
    const service = await startService();
    const env = { ORGCTL_READ_ONLY: '1' };
    const result = await service.run(['providers', 'apply', '--file', '-'], { stdin: 'providers: [a/b]', env });
    expect(result).toEqual(failed(2, expect.stringMatching(/^orgctl: read-only mode is on/) as unknown as string));
    expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});
