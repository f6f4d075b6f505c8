import { readAccountName } from '../../api/account.ts';
import { defineVerb } from '../../cli/command.ts';
import type { Session } from '../../cli/session.ts';
import { DEFAULT_PROFILE, findProfile, listProfiles, type Profile, resolveSettings } from '../../config/resolve.ts';
import { createNoTokenError, findTokenSource, type TokenChoice } from '../../config/token.ts';
import { isFailure, OrgctlError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { type Column, type Columns, formatValue } from '../../output/columns.ts';

type Configured = Pick<Session, 'settings' | 'profile'>;

const SERVICE: Column = { header: 'SERVICE', field: 'base-url' };
const ORG: Column = { header: 'ORGANIZATION', field: 'org' };

const COLUMNS: Columns = {
  table: [
    { header: 'PROFILE', field: 'profile' },
    SERVICE,
    { header: 'ACCOUNT', field: 'account', format: (value, { error }) => formatValue(value ?? error) },
    ORG,
    { header: 'DEFAULT', field: 'default', format: (value) => (value === true ? 'default' : '') },
  ],
  lines: [SERVICE, ORG, { header: 'ACCOUNT', field: 'account' }, { header: 'TOKEN FROM', field: 'token-source' }],
  fields: 'status error',
};

export const verb = defineVerb({
  columns: COLUMNS,
  examples: ['auth status', 'auth status --profile work', 'auth status -o json'],
  async run(session, { profile: named, host, baseUrl }) {
    const { output, store, client, isSandbox } = session;
    const profiles = listProfiles(store.readConfig());
    if (isSandbox) {
      const row = { ...createRow(session), 'base-url': 'sandbox', org: session.org(), 'token-source': '--sandbox' };
      return output.one(COLUMNS, { ...row, account: (await readAccountName(client)) ?? null, status: 'ok' });
    }
    if (profiles.length === 1 || [named, host, baseUrl].some((given) => given !== undefined)) {
      const account = await readAccount(session, session.settings, session.findTokenSource());
      return output.one(COLUMNS, { ...createRow(session), ...account });
    }
    const found = await Promise.all(profiles.map((name) => describeStored(session, name)));
    await output.list(COLUMNS, [found.map(({ row }) => row)]);
    const failures = found.flatMap(({ row, error }) => (error ? [{ item: String(row.profile), error }] : []));
    if (failures.length === found.length) {
      throw new OrgctlError('not-authenticated', 'no profile has a token that works', {
        items: failures,
        hint: 'Run `orgctl auth login`.',
      });
    }
  },
});

/** Describes the stored profile, without the environment. */
async function describeStored(session: Session, name: string): Promise<{ row: JsonObject; error?: OrgctlError }> {
  const { store, runtime } = session;
  const config = store.readConfig();
  const profile: Profile = { ...findProfile(name, {}, config), source: 'config.json' };
  const settings = resolveSettings({ options: {}, env: {}, config, profile });
  const row = { ...createRow({ settings, profile }), default: (config.profile ?? DEFAULT_PROFILE) === name };
  try {
    const choice = findTokenSource({ settings, profile, runtime: { ...runtime, env: {} }, store });
    return { row: { ...row, ...(await readAccount(session, settings, choice)) } };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { row: { ...row, status: error.code, error: error.message }, error };
  }
}

function createRow({ settings, profile: { name = DEFAULT_PROFILE } }: Configured): JsonObject {
  return { profile: name, 'base-url': settings['base-url'].value, org: settings.org.value ?? null, account: null };
}

async function readAccount(session: Session, settings: Session['settings'], choice: TokenChoice) {
  if (!choice.found) throw createNoTokenError(choice, settings);
  const token = await session.readToken(choice.found);
  const account = await readAccountName(session.openClient({ baseUrl: new URL(settings['base-url'].value), token }));
  return { account: account ?? null, 'token-source': choice.found.source, status: 'ok' };
}
