import type { Session } from '../../cli/session.ts';
import type { Setting, StoredValue } from '../../config/settings.ts';
import { UsageError } from '../../lib/errors.ts';
import { capitalize } from '../../lib/text.ts';
import { CHANGE_COLUMNS } from './columns.ts';

/** An undefined value removes the setting. Settings that profiles have go to the profile in use. */
export async function changeSetting(session: Session, setting: Setting, value: StoredValue | undefined): Promise<void> {
  const { store, profile, messages, output, isDryRun } = session;
  const { name, inProfile = false } = setting;
  if (!inProfile && profile.source === '--profile') {
    throw new UsageError(`${name} is the same for all profiles`, { hint: 'Leave out --profile.' });
  }
  const owner = inProfile ? profile.name : undefined;
  const where = owner === undefined ? '' : ` of profile ${owner}`;
  const what =
    value === undefined
      ? `unset ${name}${where}`
      : `set ${name}${where} to ${Array.isArray(value) ? value.join(', ') : value}`;
  const isChanged = !isDryRun && (await store.writeSettings(owner, { [name]: value }));
  if (output.isNamed) {
    let result = value === undefined ? 'unset' : 'set';
    if (isDryRun) result = 'planned';
    else if (!isChanged) result = 'unchanged';
    const row = { name, value: value ?? null, changed: isChanged, result };
    return output.one(CHANGE_COLUMNS, row);
  }
  if (isDryRun) return messages.note(`Would ${what}`);
  if (isChanged) messages.done(capitalize(what));
  else messages.note(value === undefined ? `${name}${where} is not set` : `${name}${where} already has this value`);
}
