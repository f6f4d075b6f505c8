import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkshop, toRecipePath } from './workshop.ts';

test('a metric for each organization, and one for each token that expires', async () => {
  const workshop = await openWorkshop();
  const folder = join(workshop.folder, 'collector');
  mkdirSync(folder);
  const env = { ...workshop.env, ORGCTL_TOKEN: workshop.owner };
  const orgctl = (line: string) => workshop.run('sh', ['-c', `orgctl ${line}`], env);
  await orgctl("audit-token rotate --org acme --expires 90d --to 'file:{org}.token' --yes");
  await orgctl("audit-token rotate --org globex --expires 20d --to 'file:{org}.token' --yes");
  const ended = await workshop.run('sh', [toRecipePath('node-exporter.sh'), folder], env);
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 0, stdout: '' });
  const text = readFileSync(join(folder, 'orgctl_audit_token.prom'), 'utf8');
  expect(
    text.replace(/((?:acme|globex)"\}|checked_timestamp_seconds) \d{10}$/gm, '$1 SECONDS'),
  ).toBe(`# TYPE orgctl_audit_token_status gauge
orgctl_audit_token_status{organization="acme",status="ok"} 1
orgctl_audit_token_status{organization="globex",status="expiring"} 1
orgctl_audit_token_status{organization="initech",status="not-found"} 1
# TYPE orgctl_audit_token_expiry_timestamp_seconds gauge
orgctl_audit_token_expiry_timestamp_seconds{organization="acme"} SECONDS
orgctl_audit_token_expiry_timestamp_seconds{organization="globex"} SECONDS
# TYPE orgctl_audit_token_checked_timestamp_seconds gauge
orgctl_audit_token_checked_timestamp_seconds SECONDS
`);
  const refused = await workshop.run('sh', [toRecipePath('node-exporter.sh'), folder], {
    ...env,
    ORGCTL_TOKEN: 'wrong',
  });
  expect(refused.code).toBe(4);
  expect(readFileSync(join(folder, 'orgctl_audit_token.prom'), 'utf8')).toBe(text);
  expect(readdirSync(folder)).toEqual(['orgctl_audit_token.prom']);
});
