import { describe, expect, test } from 'vitest';
import { toRequestLines } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import { failed, type RunOptions, toText } from '../support/run.ts';
import { startService } from '../support/service.ts';

interface Row {
  readonly argv: string;
  /** What is about to happen. */
  readonly act: string;
  readonly consequences: readonly string[];
  readonly question: string;
  /** What is typed to agree. */
  readonly agreed: readonly string[];
  readonly declined: readonly string[];
  /** What an agreed one says and prints, besides the question. */
  readonly says: string;
  readonly prints: string;
  /** The request that must not be sent unless agreed. */
  readonly write: string;
}

const TOKEN = '/organizations/acme/authentication-token?token=audit-trails';

const ROWS: readonly Row[] = [
  {
    argv: 'audit-token generate',
    act: 'replacing the audit trail token of acme',
    consequences: [
      'acme has one audit trail token: a new one ends the current one at once, and what still uses it stops working.',
    ],
    question: '? [y/N] ',
    agreed: ['y', 'Y', 'yes', ' YES '],
    declined: ['n', 'no', '', 'acme', 'yess'],
    says: 'warning: the secret is shown this once; the service never gives it again\n',
    prints: 'SECRET-1\n',
    write: `POST ${TOKEN} {"data":{"type":"authentication-token","attributes":{}}}`,
  },
  {
    argv: 'audit-token delete',
    act: 'deleting the audit trail token of acme',
    consequences: [
      'What reads the audit trail of acme with this token stops working at once.',
      'Without the audit logging entitlement no new one can be made.',
    ],
    question: '? Type acme to confirm: ',
    agreed: ['acme', 'ACME', ' acme '],
    declined: ['y', 'yes', '', 'globex', 'acme2'],
    says: '',
    prints: 'at-1\tauthentication-tokens\ttrue\n',
    write: `DELETE ${TOKEN}`,
  },
  {
    argv: 'members remove ou-ada',
    act: 'removing this membership from acme',
    consequences: ['ada.auditor@example.com (ou-ada, active), in one team: audit'],
    question: '? [y/N] ',
    agreed: ['y', 'yes'],
    declined: ['n', '', 'ada'],
    says: 'removed ada.auditor@example.com (ou-ada, active) from acme\n',
    prints: 'removed\tada.auditor@example.com\tacme\tou-ada\taudit\t\t\t\n',
    write: 'DELETE /organization-memberships/ou-ada',
  },
  {
    argv: 'members remove ou-ada ivan.invitee@example.com',
    act: 'removing these 2 memberships from acme',
    consequences: [
      'ada.auditor@example.com (ou-ada, active), in one team: audit',
      'ivan.invitee@example.com (ou-ivan, invited), in one team: platform',
    ],
    question: '? [y/N] ',
    agreed: ['y'],
    declined: ['n'],
    says:
      'removed ada.auditor@example.com (ou-ada, active) from acme\n' +
      'removed ivan.invitee@example.com (ou-ivan, invited) from acme\n',
    prints:
      'removed\tada.auditor@example.com\tacme\tou-ada\taudit\t\t\t\nremoved\tivan.invitee@example.com\tacme\tou-ivan\tplatform\t\t\t\n',
    write: 'DELETE /organization-memberships/ou-ada',
  },
  {
    argv: 'providers delete public/hashicorp/aws',
    act: 'deleting this provider from acme',
    consequences: ['public/hashicorp/aws (prov-hashicorp-aws): only the pointer to the public registry goes'],
    question: '? [y/N] ',
    agreed: ['y', 'yes'],
    declined: ['n', '', 'aws'],
    says: '',
    prints: 'deleted\tpublic/hashicorp/aws\tprov-hashicorp-aws\t\t\n',
    write: 'DELETE /organizations/acme/registry-providers/public/hashicorp/aws',
  },
  {
    argv: 'providers delete private/acme/inventory public/integrations/github',
    act: 'deleting these 2 providers from acme',
    consequences: [
      'private/acme/inventory (prov-acme-inventory): its versions go with it',
      'public/integrations/github (prov-integrations-github): only the pointer to the public registry goes',
    ],
    question: '? [y/N] ',
    agreed: ['y'],
    declined: ['n'],
    says: '',
    prints:
      'deleted\tprivate/acme/inventory\tprov-acme-inventory\t\t\ndeleted\tpublic/integrations/github\tprov-integrations-github\t\t\n',
    write: 'DELETE /organizations/acme/registry-providers/private/acme/inventory',
  },
];

const AT_TERMINAL = { stdin: true, stderr: true };

/** What a terminal shows: the sequences that move the cursor or clear the line are left out. */
const toScreen = (text: string): string => text.replace(/\u001b\[\d*[GJK]/g, '').replaceAll('\r\n', '\n');

async function run(argv: string, options: RunOptions) {
  const service = await startService();
  const { plain, real } = await createNames(service.sandbox);
  const result = await service.run(real(argv).split(' '), options);
  return {
    result: { ...result, stdout: plain(result.stdout), stderr: toScreen(plain(result.stderr)) },
    requests: toRequestLines(service.requests, { plain }),
  };
}

for (const row of ROWS) {
  describe(`${row.argv} at a terminal`, () => {
    for (const answer of row.agreed) {
      test(`typed ${JSON.stringify(answer)}: done`, async () => {
        const { result, requests } = await run(row.argv, { tty: AT_TERMINAL, stdin: `${answer}\n` });
        expect(result).toEqual({
          code: 0,
          stdout: row.prints,
          stderr: `${toText(...row.consequences, `${row.act}${row.question}${answer}`)}${row.says}`,
        });
        expect(requests).toContain(row.write);
      });
    }

    for (const answer of row.declined) {
      test(`typed ${JSON.stringify(answer)}: exit 3, nothing changed`, async () => {
        const { result, requests } = await run(row.argv, { tty: AT_TERMINAL, stdin: `${answer}\n` });
        expect(result).toEqual(
          failed(
            3,
            toText(
              ...row.consequences,
              `${row.act}${row.question}${answer}`,
              `orgctl: ${row.act} was declined`,
              '  → Nothing was changed.',
            ),
          ),
        );
        expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
      });
    }

    test('Ctrl-D: exit 3, nothing changed', async () => {
      const { result, requests } = await run(row.argv, { tty: AT_TERMINAL, stdin: '\u0004' });
      expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 3, stdout: '' });
      expect(result.stderr).toContain(`orgctl: ${row.act} was declined\n  → Nothing was changed.\n`);
      expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
    });

    test('Ctrl-C: exit 130, nothing changed', async () => {
      const { result, requests } = await run(row.argv, { tty: AT_TERMINAL, stdin: '\u0003' });
      expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 130, stdout: '' });
      expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
    });

    test('--yes: not asked', async () => {
      const { result, requests } = await run(`${row.argv} --yes`, { tty: AT_TERMINAL });
      expect(result).toEqual({ code: 0, stdout: row.prints, stderr: row.says });
      expect(requests).toContain(row.write);
    });

    test('--dry-run: not asked, nothing changed', async () => {
      const { result, requests } = await run(`${row.argv} --dry-run`, { tty: AT_TERMINAL });
      expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: '' });
      expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
    });
  });

  describe(`${row.argv} where nobody can be asked: exit 2, nothing changed`, () => {
    const PLACES: Readonly<Record<string, { readonly argv?: string; readonly options: RunOptions }>> = {
      'no terminal': { options: { stdin: 'y\n' } },
      'stdin is no terminal': { options: { tty: { stderr: true, stdout: true }, stdin: 'y\n' } },
      'stderr is no terminal': { options: { tty: { stdin: true, stdout: true }, stdin: 'y\n' } },
      'in CI': { options: { tty: AT_TERMINAL, stdin: 'y\n', env: { CI: 'true' } } },
      '--no-input': { argv: ' --no-input', options: { tty: AT_TERMINAL, stdin: 'y\n' } },
      ORGCTL_NO_INPUT: { options: { tty: AT_TERMINAL, stdin: 'y\n', env: { ORGCTL_NO_INPUT: '1' } } },
    };
    for (const [place, { argv = '', options }] of Object.entries(PLACES)) {
      test(place, async () => {
        const { result, requests } = await run(`${row.argv}${argv}`, options);
        expect(result).toEqual(
          failed(
            2,
            toText(
              `orgctl: ${row.act} needs confirmation, and there is nobody to ask`,
              ...row.consequences.map((line) => `  ${line}`),
              '  → Add --yes to confirm beforehand, or --dry-run to see what would be sent.',
            ),
          ),
        );
        expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
      });
    }
  });
}

describe('what needs no confirmation', () => {
  for (const argv of [
    'members invite new@example.com --team team-platform',
    'providers create hashicorp/null',
    'providers create billing',
  ]) {
    test(argv, async () => {
      const { result } = await run(argv, {});
      expect(result.code).toBe(0);
    });
  }

  test('at a terminal a short address of a provider is enough, since it is shown before it is asked about', async () => {
    const { result } = await run('providers delete inventory', { tty: AT_TERMINAL, stdin: 'y\n' });
    expect(result).toEqual({
      code: 0,
      stdout: 'deleted\tprivate/acme/inventory\tprov-acme-inventory\t\t\n',
      stderr:
        'private/acme/inventory (prov-acme-inventory): its versions go with it\ndeleting this provider from acme? [y/N] y\n',
    });
  });
});
