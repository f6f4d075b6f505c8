import { UsageError } from '../errors.ts';
import { parseWholeNumber } from '../input/whole-number.ts';
import type { PageOptions } from '../service/page.ts';
import { parseDuration } from '../when.ts';
import { type Details, filled, names, type Values, valued } from './param.ts';

/** A whole number, from 1 on where nothing else is said. */
export function count<const Usage extends string>(
  usage: Usage,
  summary: string,
  { from = 1, to, example = 20 }: { readonly from?: number; readonly to?: number; readonly example?: number } = {},
) {
  return valued(usage, summary, (given, name) =>
    parseWholeNumber(given, {
      name,
      from,
      ...(to === undefined ? {} : { to }),
      hint: `For example: ${name} ${example}`,
    }),
  );
}

/** A length of time in milliseconds: from now on, or back from now. */
export function duration<const Usage extends string>(usage: Usage, summary: string, direction: 'ahead' | 'back') {
  return valued(usage, summary, (given, name, now) => parseDuration(given, name, now, direction === 'ahead' ? 1 : -1));
}

/** Which part of a list is read. */
export const PAGE = {
  limit: count('--limit <n>', 'Stop after this many rows (the rest of the list is not checked)'),
  page: count('--page <n>', 'Read only this page; the first one is 1'),
  pageSize: count('--page-size <n>', 'Rows for each request; most services allow 1 to 100'),
};

/** Throws UsageError for options that exclude each other. */
export function toPage({ limit, page, pageSize }: Values<typeof PAGE>): PageOptions {
  if (page !== undefined && limit !== undefined) {
    throw new UsageError('use --page or --limit, not both', { hint: '--page goes with --page-size.' });
  }
  return {
    ...(page === undefined ? {} : { page }),
    ...(pageSize === undefined ? {} : { pageSize }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** A file. `hint`: what to do where its path is empty. */
export function file<const Usage extends string>(usage: Usage, summary: string, hint: string) {
  return valued(
    usage,
    summary,
    filled(() => hint),
    { complete: 'files' },
  );
}

const readSearched = filled((name) => `Leave ${name} out to list everything.`);

/** What a list is searched for. An empty text would silently search for everything. */
export function search<const Usage extends string>(usage: Usage, summary: string, details?: Details) {
  return valued(usage, summary, readSearched, details);
}

/** The same, for any of several. */
export function searches(usage: string, summary: string): ReturnType<typeof names> {
  const param = names(usage, summary);
  return {
    ...param,
    read(given, name, now) {
      const texts = param.read(given, name, now);
      if (texts?.length === 0) readSearched('', name, now);
      return texts;
    },
  };
}
