import { expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

/** What is called, and how its error begins. */
test.each([
  ['--sandbox --as king members list', '--as must be owner, owners-team, org-token, member'],
  ['--sandbox --host x.example members list', 'use --sandbox or --host, not both'],
  ['members list --base-url http://127.0.0.1.example/api/v2', 'http://127.0.0.1.example uses plain http'],
  ['members list --base-url http://localhost.example.com', 'http://localhost.example.com uses plain http'],
  ['members list --ca-file package.json', 'not usable as PEM: package.json'],
  ['members list --count-by status --limit 2', "--count-by counts the whole list: it can't be used with --limit"],
  ['members list --count-by status --page 1', "--count-by counts the whole list: it can't be used with --page"],
  ['members report --count-by nope', "unknown field 'nope'"],
  ['members show olive-owner --count-by status', "unknown option '--count-by'"],
  ['members invite eve@example.com --count-by result', "unknown option '--count-by'"],
  ['audit-trail follow --once --cursor x --count-by type', "unknown option '--count-by'"],
  ['members list --fields id,,email', '--fields has an empty name'],
  ['members plan --init -o csv', "-o csv can't be used with plan --init"],
  ['sandbox serve --port 0 -o csv', "-o csv can't be used with orgctl sandbox serve"],
  ['auth logout -o markdown', "-o markdown can't be used with orgctl auth logout"],
  ['completion bash -o tsv', "-o tsv can't be used with orgctl completion"],
  ['help jobs --fields help.me', "--fields can't be used with orgctl help"],
  ['members list --page 2 --team platform', "--page can't be used with --team: filtering needs the whole list"],
  ['members list --page 1 --no-2fa --org acme,acme-labs', "--page can't be used with --no-2fa"],
  [
    'members list --team a --page 2 --pending-older-than 30d --page-size 5',
    "--page can't be used with --team and --pending-older-than",
  ],
  ['audit-trail list --until 2026-11-18 --page 1', "--page can't be used with --until"],
  ['audit-trail list --page 2 --actor olive', "--page can't be used with --actor: filtering needs the whole list"],
  ['orgs update name=acme2', "name can't be changed here"],
  ['orgs update session-timeout', "'session-timeout' is not attribute=value"],
  ['orgs update =5', "'=5' is not attribute=value"],
  ['orgs update session-timeout=5 session-timeout=6', 'session-timeout is given twice'],
  ['organizations check --rules nope.yaml', "can't read nope.yaml: it doesn't exist"],
  ['organizations check --init --rules rules.yaml', 'use --init or --rules, not both'],
  ['organizations check --init -o csv', "-o csv can't be used with check --init"],
  ['providers show hashicorp/a\u00adws', "'hashicorp/a<U+00AD>ws' has invisible characters: U+00AD"],
  ['sandbox accept iv\u2060an@example.com', "'iv<U+2060>an@example.com' has invisible characters: U+2060"],
  ['tokens delete ci', "'ci' is not a token"],
  ['tokens delete team:platform/c\u200bi', "'team:platform/c<U+200B>i' has invisible characters: U+200B"],
  ["tokens rotate organization --expires 90d --to exec:cat'x", '--to: a quote is not closed'],
  ['audit-token generate --yes --expires yesterday', '--expires must be an instant with its time zone'],
  ['audit-token generate --yes --expires 2020-01-01', '--expires must be in the future'],
  ['audit-trail follow --cursor c --to file:events', "--to takes exec:COMMAND, not 'file:events'"],
  ['audit-trail follow --cursor c --once --to exec:/no/such', '--to: /no/such: command not found'],
  ['audit-trail follow --cursor c --since 2026-11-20', "--since must be a duration such as 30d or 12h, not '2026"],
  ['members list --pending-older-than soon', '--pending-older-than must be a duration'],
  ['audit-token show --fail-if-expires-within soon', '--fail-if-expires-within must be a duration'],
])('exit 2, and nothing is sent: %s', async (line, error) => {
  const service = await startService();
  const { code, stdout, stderr } = await service.run(line.split(' '));
  expect({ code, stdout, sent: service.requests }).toEqual({ code: 2, stdout: '', sent: [] });
  expect(stderr.slice(0, `orgctl: ${error}`.length)).toBe(`orgctl: ${error}`);
});

test('the last value of an option wins, and lists add up', () =>
  transcript()`
    $ members list -o csv -o tsv --email ada.auditor@example.com --fields status,email --email nobody@example.com
    active\tada.auditor@example.com
  `);

test('the last format of the options, else ORGCTL_OUTPUT, decides how an error of the command line looks', () =>
  transcript()`
    $ ORGCTL_OUTPUT=json members nope
    ! {"error":{"code":"usage","exit":2,"message":"unknown command 'nope'","hint":"See orgctl members --help."}}
    = 2, nothing sent
    $ members nope -o csv -ojson
    ! {"error":{"code":"usage","exit":2,"message":"unknown command 'nope'","hint":"See orgctl members --help."}}
    = 2, nothing sent
    $ ORGCTL_OUTPUT=json members nope -o json --output csv
    ! orgctl: unknown command 'nope'
    !   → See orgctl members --help.
    = 2, nothing sent
  `);

test('an error is words at a terminal, whatever the format', () =>
  transcript({ tty: { stderr: true } })`
    $ members plan --init --query x
    ! orgctl: --query can't be used with plan --init
    !   → It takes -o json.
    = 2, nothing sent
    $ members nope -o json
    ! orgctl: unknown command 'nope'
    !   → See orgctl members --help.
    = 2, nothing sent
    $ members show nobody@example.com -o json
    ! orgctl: acme has no member or invitation nobody@example.com
    !   → orgctl members list shows who is there.
    = 5
  `);
