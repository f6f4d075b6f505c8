import type { Command } from 'commander';
import type { OpenContext } from '../context/context.ts';
import { UsageError } from '../errors.ts';
import { parseWholeNumber } from '../input/whole-number.ts';
import type { PageOptions } from '../service/page.ts';
import type { Columns } from '../stdout/columns.ts';

export interface PageFlags {
  readonly page?: string;
  readonly pageSize?: string;
  readonly limit?: string;
  readonly allowPartial?: boolean;
}

export function addPageOptions(command: Command): Command {
  return command
    .option('--limit <n>', 'Stop after this many (the rest is not checked)')
    .option('--page <n>', 'Only this page, counted from 1')
    .option('--page-size <n>', 'Rows for each request; most services allow 1 to 100')
    .option('--allow-partial', 'Print what was read of a list that kept changing (still exit 10)');
}

export function toPageOptions(flags: PageFlags): PageOptions {
  if (flags.page !== undefined && flags.limit !== undefined) {
    throw new UsageError('use --page or --limit, not both', {
      hint: '--page goes with --page-size.',
    });
  }
  return {
    ...(flags.page === undefined ? {} : { page: parseCount('--page', flags.page) }),
    ...(flags.pageSize === undefined ? {} : { pageSize: parseCount('--page-size', flags.pageSize) }),
    ...(flags.limit === undefined ? {} : { limit: parseCount('--limit', flags.limit) }),
    ...(flags.allowPartial === true ? { allowPartial: true } : {}),
  };
}

function parseCount(name: string, text: string): number {
  return parseWholeNumber(text, { name, from: 1, hint: `For example: ${name} 20` });
}

export interface EnterpriseFlags {
  readonly allowEnterprise?: boolean;
}

/** `effect`: `replaces` or `deletes`. */
export function addEnterpriseOption(command: Command, effect: string): Command {
  return command.option(
    '--allow-enterprise',
    `Continue on Terraform Enterprise, where this ${effect} the main organization token`,
  );
}

/** Search text; an empty one would silently search for everything. */
export function toSearch(option: string, text: string | undefined): string | undefined {
  if (text !== undefined && text.trim() === '') {
    throw new UsageError(`${option} is empty`, { hint: `Leave ${option} out to list everything.` });
  }
  return text;
}

/** The columns of what a write left behind: the noun's own, and whether this run changed anything. */
export function withChanged(columns: Columns): Columns {
  return { ...columns, shown: [...columns.shown, 'changed'] };
}

/** What rows of a command over several things say of each, beside the columns that show its result. */
export const RESULT_FIELDS = ['error', 'error.status', 'error.next'];

/** Gives a command its verbs, where it is a noun, and the way to make contexts. */
export type PrepareCommand = (command: Command) => Promise<OpenContext>;

export function findCommand(parent: Command, word: string): Command | undefined {
  return parent.commands.find((command) => command.name() === word || command.aliases().includes(word));
}
