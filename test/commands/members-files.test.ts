import { describe, expect, test } from 'vitest';
import { createNames } from '../support/names.ts';
import { listWrites, startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

describe('a row of a file acts in its organization, on the person that all its columns name', () => {
  /** What --org says, and the row. */
  const PLACES: [orgs: string, organization: string][] = [
    ['acme', 'acme'],
    ['acme', 'globex'],
    ['acme', ''],
    ['acme,globex', ''],
    ['acme,globex', 'acme'],
  ];
  // How many requests change something. None: exit 2. Tara is in acme and globex alike.
  test.each([
    ['members invite --team audit', 'new@example.com', '', [1, 0, 1, 2, 1]],
    ['members remove', 'tara.team-manager@example.com', 'user-tara', [1, 0, 1, 0, 1]],
    ['members resend', 'ivan.invitee@example.com', 'user-ivan', [2, 0, 2, 0, 2]],
    ['teams add audit', 'tara.team-manager@example.com', 'user-tara', [1, 0, 1, 2, 1]],
    ['teams remove security', 'tara.team-manager@example.com', 'user-tara', [1, 0, 1, 0, 1]],
  ])('%s', async (verb, email, id, sent) => {
    const writes = await Promise.all(
      PLACES.map(async ([orgs, organization]) => {
        const service = await startService();
        const { real } = await createNames(service.sandbox);
        const act = async (person: string) => {
          const stdin = real(`email,id,Organization\n${email},${person},${organization}\n`);
          const { code } = await service.run([...verb.split(' '), '--org', orgs, '--file', '-', '--yes'], { stdin });
          const { length } = listWrites(service.requests);
          expect(code).toBe(length > 0 ? 0 : 2);
          return length;
        };
        expect(await act('user-milo')).toBe(0);
        return await act(id);
      }),
    );
    expect(writes).toEqual(sent);
  });

  test('over several organizations every row says in which one, by a column of that name', () =>
    transcript({
      files: {
        'empty.csv':
          'email,organization\ntara.team-manager@example.com,acme\nada.auditor@example.com,\nrex-registry-manager,\n',
        'misspelt.csv': 'email;Organisation\ntara.team-manager@example.com;acme\n',
        'gone.csv': 'email,organization\nada.auditor@example.com,acme\nada.auditor@example.com,globex\n',
      },
    })`
      $ members remove --file - --all-orgs --yes < empty.csv
      ! orgctl: stdin: 2 problems, nothing was sent
      !   line 3: it names no organization, and this command acts on several
      !   line 4: 'rex-registry-manager' is not an email address
      !   → Add a column organization, or name the people as arguments.
      = 2
      $ members remove --file - --org acme,globex --yes < misspelt.csv
      ! stdin: not used: Organisation
      ! orgctl: stdin: line 2: it names no organization, and this command acts on several
      !   → Add a column organization, or name the people as arguments.
      = 2, nothing sent
      $ members remove --file - --org 'acme, globex' --yes < gone.csv
      ! orgctl: globex has no member or invitation ada.auditor@example.com
      !   → orgctl members list --org 'acme, globex' shows who is there.
      = 5
    `);

  test('what a row says besides the email has to be of the same person; an id alone will do', () =>
    transcript({
      files: {
        'people.csv': 'email,user\nada.auditor@example.com,milo-member\nnobody@example.com,rex-registry-manager\n',
        'id.csv': 'id\nou-ada\n',
      },
    })`
      $ members remove --file - --yes < people.csv
      ! orgctl: stdin: 2 problems, nothing was sent
      !   line 2: ada.auditor@example.com and milo-member are not the same person in acme
      !   line 3: nobody@example.com and rex-registry-manager are not the same person in acme
      = 2
      $ members remove --file - --yes --fields email,result < id.csv
      ada.auditor@example.com\tremoved
      > DELETE /organization-memberships/ou-ada
    `);
});

describe('what orgctl prints can be read back', () => {
  // A spreadsheet would take it for a formula.
  const FORMULA = '+ana@example.com';
  test.each([
    ['members invite --team platform', 'csv', []],
    ['members remove --yes', 'csv', ['DELETE']],
    ['members resend --yes', 'json', ['DELETE', 'POST']],
    ['teams add audit', 'ndjson', ['POST']],
    ['teams remove platform --yes', 'json', ['DELETE']],
  ])('%s --file, from %s', async (verb, format, sent) => {
    const service = await startService();
    const orgs = ['--org', 'acme,globex'];
    await service.run(['members', 'invite', FORMULA, '--team', 'platform', ...orgs]);
    const { stdout: stdin } = await service.run(['members', 'list', '--email', FORMULA, '-o', format, ...orgs]);
    const before = service.requests.length;
    const { code, stderr } = await service.run([...verb.split(' '), '--file', '-', ...orgs], { stdin });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining('not used') });
    expect(listWrites(service.requests.slice(before))).toEqual([...sent, ...sent]);
  });
});
