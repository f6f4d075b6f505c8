import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { NOT_SET, type SettingRow, toLogRows, toProxyRows, toSettingRows } from '../../settings/resolve-settings.ts';
import { UNUSED_NOTE } from '../change-setting.ts';
import { verb } from '../verb.ts';
import { SETTING_COLUMNS } from './columns.ts';

export const list = verb({
  name: 'settings list',
  aliases: ['ls'],
  help: 'List the current settings and where each comes from',
  effect: 'own',
  examples: ['orgctl settings list'],
  columns: SETTING_COLUMNS,
  async run({ identity, screen, places }) {
    const { profile, settings } = identity;
    const rows = [
      { name: 'profile', value: profile?.name ?? null, source: profile?.source ?? NOT_SET },
      ...toSettingRows(settings),
      toTokenRow(identity),
      ...toLogRows(places.host.env),
      ...toProxyRows(places.host.env),
    ];
    const { format } = await screen.output();
    if (!format.forPeople) return void (await screen.list(SETTING_COLUMNS, rows));
    const isShown = ({ value, source }: SettingRow): boolean =>
      Array.isArray(value) ? value.length > 0 : value !== null || source !== NOT_SET;
    await screen.list(SETTING_COLUMNS, rows.filter(isShown));
    const unset = rows.filter((row) => !isShown(row)).map(({ name }) => name);
    if (unset.length > 0) screen.note(`Not set: ${unset.join(', ')}`);
    if (identity.isSandbox) screen.note(UNUSED_NOTE);
  },
});

function toTokenRow(identity: Context['identity']): SettingRow {
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
