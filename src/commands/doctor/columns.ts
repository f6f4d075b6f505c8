import type { Columns } from '../../stdout/columns.ts';
import { capitalize } from '../../text/sentence.ts';
import type { Sign } from '../../text/signs.ts';
import { ORGANIZATION } from '../organizations.ts';
import { ERROR_FIELDS } from '../row-error.ts';
import type { Finding } from './finding.ts';

const SIGNS: Readonly<Record<Finding['status'], Sign>> = { ok: '✓', attention: '!', failed: '✗' };
const WIDTH = 14;

/** `Audit token   ` */
function toLabel(check: string): string {
  const words = check.replace('-', ' ');
  const name = /^(dns|tls)$/.test(words) ? words.toUpperCase() : capitalize(words);
  return name.padEnd(WIDTH);
}

export const CHECK_COLUMNS: Columns = {
  name: 'checks',
  shape: 'record',
  sentences: ({ check, status, detail, fix }) => [
    {
      sign: SIGNS[status as Finding['status']],
      label: toLabel(String(check)),
      text: `${status === 'ok' ? '' : `${status}: `}${detail}`,
      ...(typeof fix === 'string' ? { hint: fix } : {}),
    },
  ],
  shown: ['check', 'status', 'detail', 'fix'],
};

/** Of several organizations: a row for each. */
export const ORGANIZATION_CHECK_COLUMNS: Columns = {
  name: 'organizations',
  shape: 'record',
  shown: ['organization.id', 'result', 'finding'],
  screen: [
    ORGANIZATION,
    { head: 'RESULT', field: 'result', priority: 0, tone: true },
    { head: 'FINDING', field: 'finding', priority: 1, wraps: true },
  ],
  fields: ['status', 'organization', 'fix', 'error.code', ...ERROR_FIELDS],
};
