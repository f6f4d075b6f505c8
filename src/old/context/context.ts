import { type OrgctlError, UsageError } from '../errors.ts';
import type { Host } from '../host.ts';
import type { CommandName } from '../input/about.ts';
import { createNextCommand, type NextCommand } from '../input/next-command.ts';
import { type Interrupts, withUnchanged } from '../interrupts.ts';
import { createOrganizations, type Organizations } from '../organizations/organizations.ts';
import type { PlannedWrite } from '../service/http.ts';
import { findConfigDirectory } from '../settings/directories.ts';
import { resolveMessageStyle, type Settings } from '../settings/resolve-settings.ts';
import { createSettingsStore } from '../settings/store.ts';
import { createReporter, type Reporter } from '../stderr/reporter.ts';
import { type Stderr, speaksJson } from '../stderr/stream.ts';
import { createWaiting, type Look } from '../stderr/waiting.ts';
import { FORMATS } from '../stdout/formats/index.ts';
import { toColorLevel } from '../text/color-level.ts';
import { takesSigns } from '../text/signs.ts';
import { createIdentity, type Identity, toIdentityOf, toIdentityOfEach } from './identity.ts';
import { checkOptions, type GlobalOptions, parseFields, withFormat } from './options.ts';
import { createPlaces, type Places } from './places.ts';
import { createScreen, type Screen } from './screen.ts';
import { createServices, type Services } from './services.ts';

/**
 * What a verb is handed, in parts that do not know each other. A verb names the parts that it uses. A costly part is
 * made on its first use.
 */
export interface Context {
  readonly identity: Identity;
  /** Which organizations the command is about. */
  readonly organizations: Organizations;
  readonly screen: Screen;
  readonly services: Services;
  readonly places: Places;
  /** This context, about one of several organizations. */
  of(organization: string): Context;
  /**
   * This context, about the organizations that a file names. `name` is what messages call the file. Throws UsageError
   * where the command line names organizations too.
   */
  ofFile(organizations: readonly string[], name: string): Context;
}

export interface OpenedContext extends Context {
  /** Says what went wrong, with what the service says of a refusal. */
  report(error: OrgctlError): Promise<void>;
  close(): Promise<void>;
}

export interface Run {
  readonly host: Host;
  readonly stderr: Stderr;
  readonly interrupts: Interrupts;
  readonly version: string;
}

/** What is known of the command that runs. */
interface Verb {
  optsWithGlobals(): object;
}

export type OpenContext = (verb: Verb, allowed?: Allowed) => OpenedContext;

export interface Allowed {
  readonly newProfile?: boolean;
  /** Whether it takes --orgs. */
  readonly takesSeveral?: boolean;
  /** Whose questions may be asked. */
  readonly verb?: CommandName;
  /** Whether it changes what the service has. */
  readonly writes?: boolean;
  /** Whether one of several organizations that the token does not reach ends the command. */
  readonly refusesUnreached?: boolean;
}

/** Speaks as option, environment and stored settings want it; those that cannot be read are passed over. */
export function openReporter(
  { host, stderr }: Pick<Run, 'host' | 'stderr'>,
  options: Pick<GlobalOptions, 'output' | 'quiet' | 'debug' | 'accessible' | 'color'>,
  nextCommand: NextCommand = createNextCommand({ given: {}, organization: () => undefined, platform: host.platform }),
): Reporter {
  const { readConfig } = createSettingsStore(findConfigDirectory(host), host);
  const { output, accessible, noColor, ...style } = resolveMessageStyle({ options, env: host.env, readConfig });
  const json = speaksJson(stderr, output && FORMATS[output]);
  const plansOnStdout = options.output !== undefined && FORMATS[options.output]?.forPeople === false;
  const colors = stderr.isTerminal && toColorLevel(host, stderr.stream, noColor) > 0;
  return createReporter({
    stderr,
    json,
    plansOnStdout,
    colors,
    signs: takesSigns(host, accessible),
    nextCommand,
    ...style,
  });
}

const PRESS_AGAIN = 'Wait, or press Ctrl-C again to see what happens if you end it now.';

export function createContext(run: Run, given: GlobalOptions, allowed: Allowed = {}): OpenedContext {
  const { verb, writes = false, refusesUnreached = false } = allowed;
  checkOptions(given);
  const options = withFormat(given);
  const { host } = run;
  const requested = {
    format: options.output === undefined ? undefined : FORMATS[options.output],
    fields: options.fields === undefined ? undefined : parseFields(options.fields),
    query: options.query,
  };
  const { platform } = host;
  const { user } = host;
  const store = createSettingsStore(findConfigDirectory(host), { user, dryRun: options.dryRun === true });
  const nextCommand = createNextCommand({ given: options, organization: () => findOrganization(identity), platform });
  const identity: Identity = createIdentity(host, options, store, nextCommand, allowed, run.interrupts.signal);
  const reporter = openReporter(run, options, nextCommand);
  const places = createPlaces(run, store, identity);
  const planned: PlannedWrite[] = [];
  const settings = () => identity.settings;
  const { note, secrets } = reporter;
  const waiting = createWaiting({ ...run, hide: secrets.redactText, look: () => toLook(settings()), note });
  const shared = { ...run, signal: run.interrupts.signal, dryRun: options.dryRun === true, planned, reporter, waiting };
  const screen = createScreen({ ...shared, verb, requested, yes: options.yes === true, settings });
  run.interrupts.listen((name, unfinished, count) => {
    const isKey = name === 'SIGINT';
    if (isKey) waiting.noteEcho();
    if (unfinished === undefined) return;
    const { doing, atStake } = unfinished;
    if (count === 1) waiting.finish(`Finishing: ${doing}.${isKey ? ` ${PRESS_AGAIN}` : ''}`);
    else if (count === 2 && isKey) waiting.answer(atStake);
  });
  const { sandboxState } = places;
  const services = createServices({ ...shared, caller: options.as ?? 'owner', asker: identity, sandboxState });
  const organizationsOf = ({ several, organization }: Identity): Organizations =>
    createOrganizations({ several, organization, findService: services.current, refusesUnreached });
  const about = (one: Identity): Context => {
    const organizations = organizationsOf(one);
    return { identity: one, organizations, screen, services, places: createPlaces(run, store, one), of, ofFile };
  };
  const of = (organization: string): Context => about(toIdentityOf(identity, organization));
  const ofFile = (names: readonly string[], name: string): Context => {
    refuseNames(options, name);
    return about(toIdentityOfEach(identity, names));
  };
  return {
    identity,
    organizations: organizationsOf(identity),
    screen,
    services,
    places,
    of,
    ofFile,
    async report(error) {
      const isUntouched = writes && !services.hasWritten() && !run.interrupts.hasDeferred();
      reporter.error(await services.explain(isUntouched ? withUnchanged(error) : error));
    },
    async close() {
      if (shared.dryRun) reporter.endOfPlan();
      waiting.end();
      await services.close();
    },
  };
}

function toLook({ quiet, accessible }: Settings): Look {
  if (quiet.value) return 'none';
  return accessible.value ? 'plain' : 'moving';
}

function findOrganization({ currentOrganization, several }: Identity): string | undefined {
  if (several !== undefined) return undefined;
  try {
    return currentOrganization();
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/** `name` is the file that names organizations. */
function refuseNames({ org, orgs, allOrgs }: GlobalOptions, name: string): void {
  const given =
    org !== undefined ? '--org' : orgs !== undefined ? '--orgs' : allOrgs === true ? '--all-orgs' : undefined;
  if (given === undefined) return;
  throw new UsageError(`use ${given} or a file that names organizations, not both`, {
    hint: `${name} names its organizations. Leave the option out, or use a file with one list, without organizations:.`,
  });
}
