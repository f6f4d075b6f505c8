import type { Context } from '../../context/context.ts';
import { ConnectionError, OrgctlError, ServiceError, UsageError } from '../../errors.ts';
import { describeToken } from '../../secrets/fingerprint.ts';
import { examineToken, UNKNOWN_TOKEN } from '../../service/examine-token.ts';
import type { Service } from '../../service/service.ts';
import { type Profile, readProfiles, UNNAMED } from '../../settings/profile.ts';
import { NOT_SET, resolveSettings, type Settings } from '../../settings/resolve-settings.ts';
import { createNoTokenError, findToken, type TokenChoice } from '../../settings/token.ts';
import { verb } from '../verb.ts';
import { AUTH_COLUMNS, type ProfileRow, SANDBOX } from './columns.ts';

export const status = verb({
  name: 'auth status',
  help: 'Show all profiles: service, organization and token, and whose token it is',
  effect: 'reads',
  examples: ['orgctl auth status', 'orgctl auth status -o json'],
  columns: AUTH_COLUMNS,
  run: showStatus,
});

interface Subject {
  readonly profile: string | null;
  /** Whether commands use it where none is named. */
  readonly isDefault: boolean;
  readonly settings: Pick<Settings, 'base-url' | 'org'>;
  readonly choice: TokenChoice;
  readonly fault?: UsageError | undefined;
  /** Undefined where a command would have to run. Throws `not-authenticated`. */
  readToken(): Promise<string | undefined>;
  connect(): Promise<Service>;
}

/** Every profile, or the one that the command line names. Throws what keeps the one in use from working. */
async function showStatus(context: Context): Promise<void> {
  const { identity, screen } = context;
  (await screen.output()).checkFields(AUTH_COLUMNS);
  const isNamed = (['profile', 'baseUrl', 'host', 'org', 'sandbox'] as const).some(identity.optionGiven);
  const current = toCurrent(context, !isNamed);
  const subjects = isNamed ? [current] : listSubjects(context, current);
  const statuses = await Promise.all(subjects.map((subject) => readStatus(subject, context.places.store)));
  await screen.list(
    AUTH_COLUMNS,
    statuses.map(({ record }) => record),
  );
  if (subjects.some(({ choice }) => choice !== current.choice && choice.found && choice.command !== undefined)) {
    screen.note(
      'The token-command of a profile that is not in use was not run. Use --profile to check such a profile.',
    );
  }
  const failure = statuses[subjects.indexOf(current)]?.failure;
  if (failure !== undefined) throw failure;
}

function toCurrent({ identity, services }: Context, isDefault: boolean): Subject {
  if (!identity.isSandbox) {
    const { profile, settings, readToken } = identity;
    const found = tryToFind(identity.findToken);
    return { profile: profile?.name ?? null, isDefault, settings, ...found, readToken, connect: services.current };
  }
  const source = SANDBOX;
  return {
    profile: null,
    isDefault,
    settings: {
      'base-url': { value: 'sandbox', source },
      org: { value: identity.organization(), source: identity.optionGiven('org') ? '--org' : source },
    },
    choice: { found: true, value: '', source, origin: source },
    readToken: async () => '',
    connect: services.current,
  };
}

/** What is stored without a name, then by name; `current` in the place of its own. */
function listSubjects({ services, places }: Context, current: Subject): readonly Subject[] {
  const { host, store } = places;
  const config = store.readConfig();
  const named = Object.entries(readProfiles(config)).map(
    ([name, settings]): Profile => ({ name, settings, source: '--profile', isNew: false }),
  );
  return [undefined, ...named].map((profile) => {
    const name = profile?.name ?? null;
    if (name === current.profile) return current;
    const settings = resolveSettings({ options: {}, env: host.env, config, profile });
    const baseUrl = settings['base-url'].value;
    const found = tryToFind(() => findToken({ settings, profile, host, store }));
    const token = found.choice.found ? found.choice.value : undefined;
    return {
      profile: name,
      isDefault: false,
      settings,
      ...found,
      readToken: async () => token,
      connect: () => services.at({ baseUrl: new URL(baseUrl), token }),
    };
  });
}

function tryToFind(find: () => TokenChoice): Pick<Subject, 'choice' | 'fault'> {
  try {
    return { choice: find() };
  } catch (error) {
    if (error instanceof UsageError)
      return { choice: { found: false, reasons: [error.message], origins: [] }, fault: error };
    throw error;
  }
}

/** Where no token could be read there is no more to find out. */
function toFailure(error: unknown): OrgctlError {
  if (error instanceof OrgctlError && error.exit === 'not-authenticated') return error;
  throw error;
}

async function readStatus(
  { profile, isDefault, settings, choice, fault, readToken, connect }: Subject,
  store: Context['places']['store'],
): Promise<{ record: ProfileRow; failure: OrgctlError | undefined }> {
  const { 'base-url': baseUrl, org } = settings;
  const given = {
    profile: profile ?? (baseUrl.source === SANDBOX ? null : UNNAMED),
    default: isDefault,
    'base-url': baseUrl.value,
    'base-url-source': baseUrl.source,
    org: org.value ?? null,
    'org-source': org.source,
    token: choice.found ? '(set)' : null,
    'token-source': choice.found ? choice.source : choice.reasons.join(' ') || NOT_SET,
  };
  if (!choice.found) {
    const failure = fault ?? createNoTokenError(baseUrl.value, choice, profile ?? undefined, store);
    return { record: { ...given, ...UNKNOWN_TOKEN, works: false }, failure };
  }
  const read = await readToken().catch((error: unknown) => toFailure(error));
  if (read instanceof OrgctlError)
    return { record: { ...given, token: null, ...UNKNOWN_TOKEN, works: false }, failure: read };
  if (read === undefined) return { record: { ...given, ...UNKNOWN_TOKEN }, failure: undefined };
  const known = { ...given, token: describeToken(read) ?? given.token };
  try {
    const { refusal, ...facts } = await examineToken(await connect());
    return { record: { ...known, ...facts }, failure: refusal };
  } catch (error) {
    // What was found out before is worth printing all the same.
    if (error instanceof ServiceError || error instanceof ConnectionError) {
      return { record: { ...known, ...UNKNOWN_TOKEN }, failure: error };
    }
    throw error;
  }
}
