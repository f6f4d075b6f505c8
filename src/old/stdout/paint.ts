import type { Sign } from '../text/signs.ts';
import type { Style } from '../text/style.ts';

/** Colours repeat words, and never replace them. */
const TONES: Readonly<Record<string, keyof Style>> = {
  active: 'green',
  ok: 'green',
  works: 'green',
  current: 'green',
  invited: 'yellow',
  attention: 'yellow',
  expiring: 'yellow',
  failed: 'red',
  expired: 'red',
  refused: 'red',
};

const SIGN_TONES: Readonly<Record<Sign, keyof Style>> = {
  '✓': 'green',
  '+': 'green',
  '!': 'yellow',
  '~': 'yellow',
  '✗': 'red',
  '-': 'red',
  '=': 'dim',
};

/** Of an expiry, as it is shown: fewer days than this need attention. */
const FEW_DAYS = 30;

export function paint(text: string, style: Style): string {
  const [first = '', second = '', unit = ''] = text.split(' ', 3);
  const isSoon = first === 'in' && (unit.startsWith('day') ? Number(second) < FEW_DAYS : !unit.startsWith('year'));
  const tone = Object.hasOwn(TONES, first) ? TONES[first] : isSoon ? 'yellow' : undefined;
  return tone === undefined ? text : style[tone](text);
}

export function paintSign(sign: Sign, style: Style): string {
  return style[SIGN_TONES[sign]](sign);
}
