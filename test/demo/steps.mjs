// What the demo shows, and where it runs: the picture in README.md shows some of it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ORGCTL = fileURLToPath(new URL('../../bin/orgctl.cjs', import.meta.url));

/** Lines of shell, in order, and what each ends with where that is not 0. */
export const STEPS = [
  { says: 'The people of an organization.', line: 'orgctl --sandbox members list', isInPicture: true },
  {
    says: 'Invite a person. Teams go by name.',
    line: 'orgctl --sandbox members invite ana@example.com --team platform',
    isInPicture: true,
  },
  {
    says: 'Again: existing members are not changed, so scripts can repeat it.',
    line: 'orgctl --sandbox members invite ana@example.com --team platform',
  },
  {
    says: 'Preview what a change would do.',
    line: 'orgctl --sandbox members remove ada.auditor@example.com --all-orgs --dry-run',
    isInPicture: true,
  },
  {
    says: 'What is wrong with the organization?',
    line: 'orgctl --sandbox organizations check --fields rule,status,found',
    ends: 13,
    isInPicture: true,
  },
  {
    says: 'The same as a page, for somebody without a terminal.',
    line: 'orgctl --sandbox organizations check -o html > check.html',
    ends: 13,
    isInPicture: true,
  },
  {
    says: 'Add a public provider, and a private one.',
    line: 'orgctl --sandbox providers create hashicorp/google billing',
  },
  { says: 'All providers.', line: 'orgctl --sandbox providers list' },
  { says: 'Which plans can acme have?', line: 'orgctl --sandbox feature-sets list --eligible' },
  {
    says: 'Replace the audit trail token. The secret goes into the file, and nowhere else.',
    line: 'orgctl --sandbox audit-token rotate --expires 90d --to file:./audit-token --yes',
    isInPicture: true,
  },
  { says: 'What is known of it.', line: 'orgctl --sandbox audit-token show' },
  { says: 'Read the audit trail with it.', line: 'orgctl --sandbox --as audit-token audit-trail list --limit 4' },
  {
    says: 'Refusals explain themselves: a plain member invites a person …',
    line: 'orgctl --sandbox --as member members invite ben@example.com --team platform',
    ends: 5,
    isInPicture: true,
  },
  {
    says: '… and an organization without public providers.',
    line: 'orgctl --sandbox --org initech providers create hashicorp/aws',
    ends: 6,
  },
];

export const COLUMNS = 80;

/** An empty home and a folder to work in, with orgctl on the path. */
export function openPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-demo-'));
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')];
  mkdirSync(home);
  mkdirSync(bin);
  writeFileSync(join(bin, 'orgctl'), `#!/bin/sh\nexec '${process.execPath}' '${ORGCTL}' "$@"\n`, { mode: 0o755 });
  return {
    home,
    env: { PATH: [bin, process.env['PATH']].join(delimiter), HOME: home, LANG: 'C.UTF-8' },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
