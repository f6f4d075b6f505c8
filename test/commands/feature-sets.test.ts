import { describe, expect, test } from 'vitest';
import type { CallerKind } from '../../src/sandbox/callers.ts';
import { AT_TERMINAL } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

describe('feature-sets list', () => {
  test.each([80, 120])(
    'is a table at a terminal of %i columns',
    (columns) =>
      transcript({ ...AT_TERMINAL, columns })`
      $ feature-sets list
      PLAN        PRICE     USERS  AUDIT LOGGING  CURRENT  ID
      Free        $0.00         5  no                      fs-free
      Trial       $0.00  no limit  yes                     fs-trial
      Standard    $0.00  no limit  yes            current  fs-standard
      Standard    $0.00  no limit  yes                     fs-standard-2
      Plus       $70.00  no limit  yes                     fs-plus
      Premium   $140.50  no limit  yes                     fs-premium
    `,
  );

  test.each([
    ['member', 401, 'unauthorized', 4, 'HOST rejected your token (from ORGCTL_TOKEN)|unauthorized: Why.'],
    ['member', 403, 'forbidden', 6, "you don't have permission to LIST|forbidden: Why."],
    ['member', 404, 'not found', 5, "can't LIST: not found, or you don't have permission|not found: Why."],
    ['owner', 404, 'not found', 5, "can't LIST: not found (you are an owner of acme)|not found: Why."],
  ])('says what a refusal means, in the words of the service: %s, %i', async (as, status, title, code, said) => {
    const errors = [{ status: String(status), title, detail: 'W\u001b[31mh\u202ey.\u009b' }];
    const { run, url } = await startService({
      alter: (answer, { url: at }) => (at.endsWith('/feature-sets') ? Response.json({ errors }, { status }) : answer),
    });
    const result = await run(['feature-sets', 'list', '--eligible'], { as: as as CallerKind });
    expect(result.code).toBe(code);
    const text = result.stderr.replace(new URL(url).host, 'HOST').replace('list the feature sets of acme', 'LIST');
    expect(text.replaceAll('\n  ', '|')).toContain(`orgctl: ${said}`);
  });
});

describe('feature-sets current', () => {
  test('shows the plan, its limits, and the seats used and left: none left is full', () =>
    transcript({ ...AT_TERMINAL, columns: 80 })`
      $ feature-sets current
      Plan:           Standard
      Users:          6 (1 invited), no limit
      Audit logging:  yes
      ID:             fs-standard
      $ feature-sets current --org initech
      Plan:           Free
      Users:          5 (1 invited) of 5, 0 left
      Audit logging:  no
      ID:             fs-free
      $ feature-sets current --org initech -o tsv --fields active,invited,used,limit,left,status
      4\t1\t5\t5\t0\tfull
    `);

  test('what the organization is entitled to goes before its plan', () => {
    const data = { id: 'acme', type: 'entitlement-sets', attributes: { 'user-limit': 7 } };
    return transcript({
      service: { alter: (answer, { url }) => (url.endsWith('/entitlement-set') ? Response.json({ data }) : answer) },
    })`
      $ feature-sets current --fields limit,left
      7\t1
    `;
  });

  test('is a row for each of several organizations, also for one that fails', () =>
    transcript({ ...AT_TERMINAL, columns: 80 })`
      $ feature-sets current --all-orgs
      ORGANIZATION  PLAN      USERS     LIMIT  LEFT  STATUS  ID
      acme          Standard      6  no limit        ok      fs-standard
      globex        Plus          9  no limit        ok      fs-plus
      initech       Free          5         5     0  full    fs-free
      $ feature-sets current --org nope,acme -o csv --fields organization.id,status,name,error.code,error.message
      organization.id,status,name,error.code,error.message
      acme,ok,Standard,,
      nope,not-found,,not-found,you are not a member of nope
      ! orgctl: 1 of 2 organizations failed
      !   nope: you are not a member of nope
      = 10
      $ AS=org-token feature-sets current --all-orgs
      ! orgctl: you are not an active member of any organization
      !   → Name organizations with --org: team and organization tokens are not members of any.
      = 5
    `);
});
