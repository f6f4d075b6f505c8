import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { type SettingRow, toProxyRows, toSettingRows } from '../../settings/resolve-settings.ts';
import { addExamples } from '../options.ts';
import { SETTING_COLUMNS } from './columns.ts';

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun.command('list').alias('ls').description('every value in force, and where it comes from');
  addExamples(verb, {
    'orgctl settings list': 'what is in force, and why',
  }).action(async () => {
    const context = open(verb);
    const { profile } = context.identity;
    const rows = [
      { name: 'profile', value: profile?.name ?? null, source: profile?.source ?? 'not set' },
      ...toSettingRows(context.identity.settings),
      toTokenRow(context),
      ...toProxyRows(context.places.host.env),
    ];
    const { format } = await context.screen.output();
    if (!format.forPeople) return void (await context.screen.list(SETTING_COLUMNS, rows));
    await context.screen.list(
      SETTING_COLUMNS,
      rows.filter(({ value }) => value !== null),
    );
    const unset = rows.filter(({ value }) => value === null).map(({ name }) => name);
    if (unset.length > 0) context.screen.note(`Not set: ${unset.join(', ')}`);
  });
}

function toTokenRow({ identity }: Context): SettingRow {
  if (identity.isSandbox) return { name: 'token', value: '(set)', source: '--sandbox' };
  try {
    const choice = identity.findToken();
    if (choice.found) return { name: 'token', value: '(set)', source: choice.source };
    return { name: 'token', value: null, source: choice.reasons.join('; ') || 'not set' };
  } catch (error) {
    // A token that cannot be used stops what needs it, and not this list.
    if (error instanceof UsageError) return { name: 'token', value: null, source: error.message };
    throw error;
  }
}
