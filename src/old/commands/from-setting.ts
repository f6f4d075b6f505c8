import { reword, UsageError } from '../errors.ts';
import type { SettingName } from '../settings/settings.ts';

/** Reads what is stored. An error says of which setting, and where that came from. */
export function readFromSetting<Value>(setting: SettingName, source: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw reword(error, { message: `${setting} (from ${source}): ${error.message}` });
  }
}
