import type { Context } from '../../context/context.ts';
import { ConnectionError, OrgctlError, ServiceError, UsageError } from '../../errors.ts';
import { describeToken } from '../../secrets/fingerprint.ts';
import { examineReach, examineToken, type TokenFacts, UNKNOWN_TOKEN } from '../../service/examine-token.ts';
import type { Service } from '../../service/service.ts';
import { type Profile, readProfiles, UNNAMED } from '../../settings/profile.ts';
import { NOT_SET, resolveSettings, type Settings } from '../../settings/resolve-settings.ts';
import { createNoTokenError, findToken, type TokenChoice } from '../../settings/token.ts';
import { flag } from '../param.ts';
import { verb } from '../verb.ts';
import { AUTH_COLUMNS, type ProfileRow, SANDBOX } from './columns.ts';

export const status = verb({
  name: 'auth status',
  help: 'Show the current service, organization and token, and whose token it is',
  effect: 'reads',
  options: { all: flag('--all', 'Show every profile') },
  examples: ['orgctl auth status', 'orgctl auth status --all -o json'],
  columns: AUTH_COLUMNS,
  printsOne: true,
  run: (context, { all }) => (all ? showAll(context) : showOne(context)),
});

interface Subject {
  readonly profile: string | null;
  readonly settings: Pick<Settings, 'base-url' | 'org'>;
  readonly choice: TokenChoice;
  readonly fault?: UsageError | undefined;
  /** Undefined where a command would have to run. Throws `not-authenticated`. */
  readToken(): Promise<string | undefined>;
  connect(): Promise<Service>;
}

async function showOne(context: Context): Promise<void> {
  const { screen } = context;
  const output = await screen.output();
  output.checkFields(AUTH_COLUMNS);
  const { record, failure } = await readStatus(toSubject(context), context.places.store);
  await output.one(AUTH_COLUMNS, record);
  if (failure !== undefined) throw failure;
}

async function showAll(context: Context): Promise<void> {
  const { identity, screen } = context;
  const given = (['profile', 'base-url', 'host', 'org', 'sandbox'] as const).find((name) =>
    identity.optionGiven(name === 'base-url' ? 'baseUrl' : name),
  );
  if (given !== undefined) {
    throw new UsageError(`use --all or --${given}, not both`, { hint: '--all shows every profile as it is stored.' });
  }
  (await screen.output()).checkFields(AUTH_COLUMNS);
  const subjects = toSubjects(context);
  const statuses = await Promise.all(subjects.map((subject) => readStatus(subject, context.places.store)));
  await screen.list(
    AUTH_COLUMNS,
    statuses.map(({ record }) => record),
  );
  if (subjects.some(({ choice }) => choice.found && choice.command !== undefined)) {
    screen.note('--all runs no token-command. Use --profile to check a profile that has one.');
  }
  if (statuses.some(({ failure }) => failure === undefined)) return;
  const failures = statuses.flatMap(({ failure }) => failure ?? []);
  const unanswered = failures.find(({ exit }) => exit !== 'not-authenticated');
  throw (
    unanswered ??
    new OrgctlError('not-authenticated', 'no profile has a token that works', {
      reasons: failures.map(({ message }) => message),
      hint: 'Log in:',
      next: [['orgctl', 'auth', 'login']],
    })
  );
}

function toSubject({ identity, services }: Context): Subject {
  if (!identity.isSandbox) {
    const { profile, settings } = identity;
    const { connect, readToken } = { connect: services.current, readToken: identity.readToken };
    return { profile: profile?.name ?? null, settings, ...tryToFind(identity.findToken), readToken, connect };
  }
  const source = SANDBOX;
  return {
    profile: null,
    settings: {
      'base-url': { value: 'sandbox', source },
      org: { value: identity.organization(), source: identity.optionGiven('org') ? '--org' : source },
    },
    choice: { found: true, value: '', source, origin: source },
    readToken: async () => '',
    connect: services.current,
  };
}

function toSubjects({ services, places }: Context): readonly Subject[] {
  const { host, store } = places;
  const config = store.readConfig();
  const named = Object.entries(readProfiles(config)).map(
    ([name, settings]): Profile => ({ name, settings, source: '--profile', isNew: false }),
  );
  return [undefined, ...named].map((profile) => {
    const settings = resolveSettings({ options: {}, env: host.env, config, profile });
    const baseUrl = settings['base-url'].value;
    const found = tryToFind(() => findToken({ settings, profile, host, store }));
    const token = found.choice.found ? found.choice.value : undefined;
    return {
      profile: profile?.name ?? null,
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
  subject: Subject,
  store: Context['places']['store'],
): Promise<{ record: ProfileRow; failure: OrgctlError | undefined }> {
  const { profile, settings, choice } = subject;
  const { 'base-url': baseUrl, org } = settings;
  const given = {
    profile: profile ?? (baseUrl.source === SANDBOX ? null : UNNAMED),
    'base-url': baseUrl.value,
    'base-url-source': baseUrl.source,
    org: org.value ?? null,
    'org-source': org.source,
    token: choice.found ? '(set)' : null,
    'token-source': choice.found ? choice.source : choice.reasons.join(' ') || NOT_SET,
  };
  const unknown: TokenFacts & { readonly reads: readonly string[] } = { ...UNKNOWN_TOKEN, reads: [] };
  if (!choice.found) {
    const failure = subject.fault ?? createNoTokenError(baseUrl.value, choice, profile ?? undefined, store);
    return { record: { ...given, ...unknown, works: false }, failure };
  }
  const read = await subject.readToken().catch((error: unknown) => toFailure(error));
  if (read instanceof OrgctlError)
    return { record: { ...given, token: null, ...unknown, works: false }, failure: read };
  if (read === undefined) return { record: { ...given, ...unknown }, failure: undefined };
  const known = { ...given, token: describeToken(read) ?? given.token };
  let record = { ...known, ...unknown };
  try {
    const service = await subject.connect();
    const { refusal, ...facts } = await examineToken(service);
    record = { ...record, ...facts };
    const reads = facts.works === false || org.value === undefined ? [] : await examineReach(service, org.value);
    return { record: { ...record, reads }, failure: refusal };
  } catch (error) {
    // What was found out before is worth printing all the same.
    if (error instanceof ServiceError || error instanceof ConnectionError) return { record, failure: error };
    throw error;
  }
}
