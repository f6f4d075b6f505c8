import type { Columns } from '../../stdout/columns.ts';
import { capitalize } from '../../text/sentence.ts';
import type { Sign } from '../../text/signs.ts';
import type { Finding } from './finding.ts';

const SIGNS: Readonly<Record<Finding['status'], Sign>> = { ok: '✓', attention: '!', failed: '✗' };
const WIDTH = 14;

/** `Audit token   ` */
function toLabel(check: string): string {
  const words = check.replaceAll('-', ' ');
  const name = /^(dns|tls)$/.test(words) ? words.toUpperCase() : capitalize(words);
  return name.padEnd(WIDTH);
}

export interface CheckRow extends Pick<Finding, 'check' | 'detail' | 'fix' | 'status'> {
  /** The commands at the end of `fix`; left out without any. */
  readonly next?: readonly string[];
}

export const CHECK_COLUMNS: Columns<CheckRow> = {
  name: 'checks',
  shape: 'record',
  sentences({ check, status, detail, fix, next = [] }) {
    const hint = fix?.slice(0, fix.length - next.join(' ').length).trim() ?? '';
    return [
      {
        sign: SIGNS[status],
        label: toLabel(check),
        text: `${status === 'ok' ? '' : `${status}: `}${detail}`,
        ...(hint === '' ? {} : { hint }),
        next,
      },
    ];
  },
  shown: ['check', 'status', 'detail', 'fix'],
  fields: ['next'],
};
