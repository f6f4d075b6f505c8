import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { NOT_SET, type SettingRow, toLogRows, toProxyRows, toSettingRows } from '../../settings/resolve-settings.ts';
import { SETTING_COLUMNS } from './columns.ts';

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun.command('list').alias('ls').description('List the current settings and where each comes from');
  addDocumentation(verb, { examples: ['orgctl settings list'], columns: SETTING_COLUMNS }).action(async () => {
    const context = open(verb);
    const { profile } = context.identity;
    const rows = [
      { name: 'profile', value: profile?.name ?? null, source: profile?.source ?? NOT_SET },
      ...toSettingRows(context.identity.settings),
      toTokenRow(context),
      ...toLogRows(context.places.host.env),
      ...toProxyRows(context.places.host.env),
    ];
    const { format } = await context.screen.output();
    if (!format.forPeople) return void (await context.screen.list(SETTING_COLUMNS, rows));
    const isShown = ({ value, source }: SettingRow): boolean =>
      Array.isArray(value) ? value.length > 0 : value !== null || source !== NOT_SET;
    await context.screen.list(SETTING_COLUMNS, rows.filter(isShown));
    const unset = rows.filter((row) => !isShown(row)).map(({ name }) => name);
    if (unset.length > 0) context.screen.note(`Not set: ${unset.join(', ')}`);
  });
}

function toTokenRow({ identity }: Context): SettingRow {
  if (identity.isSandbox) return { name: 'token', value: '(set)', source: '--sandbox' };
  try {
    const choice = identity.findToken();
    if (choice.found) return { name: 'token', value: '(set)', source: choice.source };
    return { name: 'token', value: null, source: choice.reasons.join(' ') || NOT_SET };
  } catch (error) {
    // A token that cannot be used stops what needs it, and not this list.
    if (error instanceof UsageError) return { name: 'token', value: null, source: error.message };
    throw error;
  }
}
