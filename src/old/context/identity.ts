import { UsageError } from '../errors.ts';
import type { Host } from '../host.ts';
import { type NextCommand, nameOrganization } from '../input/next-command.ts';
import { checkOrganization, listDistinct } from '../names.ts';
import { once } from '../once.ts';
import type { Several } from '../organizations/find-organizations.ts';
import { findProfile, type Profile, requireStored, toSettings } from '../settings/profile.ts';
import { resolveSettings, type Settings } from '../settings/resolve-settings.ts';
import type { SettingsStore } from '../settings/store.ts';
import { createNoTokenError, type FoundToken, findToken, readToken, type TokenChoice } from '../settings/token.ts';
import type { GlobalOptions } from './options.ts';

export type Identity = ReturnType<typeof createIdentity>;

const SANDBOX_ORGANIZATION = 'acme';

/**
 * Which service is asked, about which organization, and as whom. `newProfile`: the profile named may be one that nothing is stored
 * for yet. `takesSeveral`: the command takes --orgs.
 */
export function createIdentity(
  host: Host,
  options: GlobalOptions,
  store: SettingsStore,
  nextCommand: NextCommand,
  { newProfile = false, takesSeveral = false }: { readonly newProfile?: boolean; readonly takesSeveral?: boolean },
  signal: AbortSignal,
) {
  const isSandbox = options.sandbox === true;
  const readConfig = once(() => store.readConfig());
  const profile = once(() => {
    // What is stored for real services names real ones.
    if (isSandbox) return undefined;
    const { readDefaultProfile: readDefaultName } = store;
    const named = findProfile({ option: options.profile, env: host.env, readDefaultName, readConfig });
    if (named !== undefined && !newProfile) requireStored(named, readConfig());
    return named;
  });
  const settings = once(() => resolveSettings({ options, env: host.env, config: readConfig(), profile: profile() }));
  const findCurrent = (): TokenChoice =>
    findToken({
      settings: settings(),
      profile: profile(),
      named: options.profile,
      host,
      store,
    });
  const requireToken = (): FoundToken => {
    const choice = findCurrent();
    if (choice.found) return choice;
    throw createNoTokenError(settings()['base-url'].value, choice, profile()?.name, store);
  };
  const readCurrent = async (): Promise<string> => {
    const choice = requireToken();
    const { env, platform, cwd, sendSignal } = host;
    return await readToken(choice, { env, platform, cwd, sendSignal, signal });
  };
  const baseUrl = (): URL => new URL(settings()['base-url'].value);
  const several = toSeveral(options);
  const currentOrganization = (): string | undefined => {
    if (several !== undefined) throw new Error('the command is about several organizations');
    // What is stored for real services names real organizations.
    const name = isSandbox && options.org === undefined ? SANDBOX_ORGANIZATION : settings().org.value;
    const source = options.org === undefined ? settings().org.source : '--org';
    if (name !== undefined) checkOrganization(name, source, takesSeveral);
    return name;
  };
  const organization = (): string => {
    const name = currentOrganization();
    if (name !== undefined) return name;
    // Logging in comes first, and may choose one.
    requireToken();
    throw new UsageError('no organization', {
      hint: `Add --org <name>, set ORGCTL_ORG, or store a default with ${toSettings(profile()?.name)} set org <name>.`,
      next: [['orgctl', 'members', 'mine']],
    });
  };
  return {
    /** Throws UsageError when one in use cannot be read. */
    get settings(): Settings {
      return settings();
    },
    /** Undefined for the default one. Throws like `settings`. */
    get profile(): Profile | undefined {
      return profile();
    },
    isSandbox,
    /** Whether this option was given on the command line. */
    optionGiven: (name: keyof GlobalOptions): boolean => options[name] !== undefined,
    /** Undefined where the command is about one organization. */
    several,
    /** Throws UsageError when none is named, or `not-authenticated` where there is no token either. Not for a command about several. */
    organization,
    /** The organization; undefined when none is named. */
    currentOrganization,
    /** In the sandbox: whose token is used where a caller has one in each, the first of these that exists. */
    sandboxOrganizations(): readonly string[] {
      if (several === undefined) return [organization()];
      return several === 'all' ? [SANDBOX_ORGANIZATION] : [...several, SANDBOX_ORGANIZATION];
    },
    /** With its port if it has one. */
    serviceHost: () => baseUrl().host,
    /** `sandbox` for the embedded one. */
    serviceOrigin: () => (isSandbox ? 'sandbox' : baseUrl().origin),
    /** The token for the service. Throws UsageError for one that cannot be used. */
    findToken: findCurrent,
    /** Its text, read once. Throws `not-authenticated` where there is none, or no command prints it, and UsageError. */
    readToken: once(readCurrent),
    /** The text of the token, read again at each call: a rotation may have replaced the token. */
    readTokenAgain: readCurrent,
    /** For a command within a sentence, to the same service as the same caller. Errors and their `next` hold words. */
    nextCommand,
  };
}

/** The identity, about one of several organizations. */
export function toIdentityOf(identity: Identity, organization: string): Identity {
  return {
    ...identity,
    several: undefined,
    settings: { ...identity.settings, org: { value: organization, source: '--orgs' } },
    organization: () => organization,
    currentOrganization: () => organization,
    nextCommand: (words) => identity.nextCommand(nameOrganization(words, organization)),
  };
}

/** The identity, about several organizations that a file names. */
export function toIdentityOfEach(identity: Identity, names: Several): Identity {
  const refuse = (): never => {
    throw new Error('the command is about several organizations');
  };
  return { ...identity, several: names, organization: refuse, currentOrganization: refuse };
}

/** Each name once, compared without case. Throws UsageError. */
function toSeveral({ orgs, allOrgs }: GlobalOptions): Several | undefined {
  if (orgs === undefined) return allOrgs === true ? 'all' : undefined;
  if (orgs.length === 0) {
    throw new UsageError('--orgs is empty', { hint: 'Give names, separated by commas: --orgs acme,globex' });
  }
  for (const name of orgs) checkOrganization(name);
  return listDistinct(orgs);
}
