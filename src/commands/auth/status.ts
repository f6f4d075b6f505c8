import { readAccountName } from '../../api/account.ts';
import { defineVerb } from '../../cli/command.ts';
import type { Session } from '../../cli/session.ts';
import { DEFAULT_PROFILE, findProfile, listProfiles, type Profile, resolveSettings } from '../../config/resolve.ts';
import { createNoTokenError, findTokenSource } from '../../config/token.ts';
import { isFailure, OrgctlError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { PROFILE_COLUMNS } from './columns.ts';

export const verb = defineVerb({
  columns: PROFILE_COLUMNS,
  examples: ['auth status', 'auth status --profile work', 'auth status -o json'],
  async run(session, { profile: named, host, baseUrl }) {
    const { output, store } = session;
    const profiles = listProfiles(store.readConfig());
    const isOne =
      session.isSandbox || profiles.length === 1 || [named, host, baseUrl].some((given) => given !== undefined);
    if (isOne) return output.one(PROFILE_COLUMNS, await describeCurrent(session));
    const found = await Promise.all(profiles.map((name) => describeProfile(session, name)));
    await output.list(PROFILE_COLUMNS, [found.map(({ row }) => row)]);
    const failures = found.flatMap(({ row, error }) => (error ? [{ item: String(row.profile), error }] : []));
    if (failures.length === found.length) {
      throw new OrgctlError('not-authenticated', 'no profile has a token that works', {
        items: failures,
        hint: 'Run `orgctl auth login`.',
      });
    }
  },
});

async function describeCurrent(session: Session): Promise<JsonObject> {
  const { client, settings, profile, isSandbox } = session;
  const choice = isSandbox ? undefined : session.findTokenSource();
  if (choice && !choice.found) throw createNoTokenError(choice, session);
  return {
    profile: profile.name ?? DEFAULT_PROFILE,
    'base-url': isSandbox ? 'sandbox' : settings['base-url'].value,
    org: isSandbox ? session.org() : (settings.org.value ?? null),
    account: (await readAccountName(client)) ?? null,
    'token-source': choice?.found?.source ?? '--sandbox',
    status: 'ok',
  };
}

/** Describes the stored profile, without the environment. */
async function describeProfile(session: Session, name: string): Promise<{ row: JsonObject; error?: OrgctlError }> {
  const { store, runtime } = session;
  const config = store.readConfig();
  const found = findProfile(name, {}, config);
  const profile: Profile = { ...found, source: 'config.json' };
  const settings = resolveSettings({ options: {}, env: {}, config, profile });
  const row = {
    profile: name,
    'base-url': settings['base-url'].value,
    account: null,
    org: settings.org.value ?? null,
    default: (config.profile ?? DEFAULT_PROFILE) === name,
  };
  try {
    const choice = findTokenSource({ settings, profile, runtime: { ...runtime, env: {} }, store });
    if (!choice.found) throw createNoTokenError(choice, { settings, profile });
    const token = await session.readToken(choice.found);
    const account = await readAccountName(session.openClient({ baseUrl: new URL(settings['base-url'].value), token }));
    return { row: { ...row, account: account ?? null, 'token-source': choice.found.source, status: 'ok' } };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { row: { ...row, status: error.code, error: error.message }, error };
  }
}
