import type { Host } from '../host.ts';

/** A sign that repeats what the words after it say. */
export type Sign = (typeof SIGNS)[number];

const SIGNS = ['✓', '✗', '!', '=', '+', '-', '~'] as const;

export function isSign(text: string | undefined): boolean {
  return SIGNS.some((sign) => sign === text);
}

/** Whether signs can be drawn, and are wanted: a terminal of words, another encoding or a screen reader has none. */
export function takesSigns({ env }: Pick<Host, 'env'>, accessible: boolean): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return !accessible && env['TERM'] !== 'dumb' && (locale === '' || /utf-?8/i.test(locale));
}
