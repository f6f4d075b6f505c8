import type { Context } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { AS_STORED } from '../../input/next-command.ts';
import { foldName } from '../../names.ts';
import type { Reach } from '../../organizations/find-organizations.ts';
import { examineReach, type TokenFacts } from '../../service/examine-token.ts';
import type { Service } from '../../service/service.ts';
import { CONFIG_FILE, readProfile, toSettings } from '../../settings/profile.ts';
import { NOT_SET } from '../../settings/resolve-settings.ts';
import { withStored } from './interrupted.ts';
import { findOwnHost, type Keeper } from './keeper.ts';

/** What is known of a token that was logged in with. */
export interface Known {
  readonly facts: TokenFacts;
  /** Undefined where the service does not show which. */
  readonly reach: Reach | undefined;
}

interface Settled extends Known {
  /** By `--org`. */
  readonly named: string | undefined;
}

/** What `--org` names, as the service spells it; undefined where it is not given. Throws `not-found` where the token can't read it. */
export async function requireReadable(
  { identity, screen }: Context,
  service: Service,
  { facts, reach }: Known,
): Promise<string | undefined> {
  if (!identity.optionGiven('org')) return undefined;
  const name = identity.organization();
  const listed = reach?.get(foldName(name));
  if (listed !== undefined) return listed;
  const reads = await examineReach(service, name);
  // The audit trail is read without the name of an organization.
  if (reads.some((each) => each !== 'audit-trail')) return name;
  const isSilent = reach === undefined && (facts.kind === null || facts.kind === 'audit-trail');
  if (!isSilent) throw createUnreadableError(name, facts, listNames(reach));
  screen.note(`Unknown: whether this token belongs to ${name}. The service doesn't show it.`);
  return name;
}

function createUnreadableError(name: string, { kind }: TokenFacts, names: readonly string[]): OrgctlError {
  const yours = names.length === 0 ? '' : ` Your organizations: ${join(names)}.`;
  return new OrgctlError(
    'not-found',
    kind === 'user' ? `you are not a member of ${name}` : `this token can't read ${name}`,
    {
      reasons: [`Unknown: whether an organization named ${name} exists.${yours}`],
      hint: 'Nothing was stored. Log in again with another --org, or without it.',
    },
  );
}

/** What comes next, and its commands. */
interface Advice {
  readonly text: string;
  readonly next: readonly (readonly string[])[];
}

/** Finds the organization that is the default from now on, asks for it where it can, and gives what comes next. */
export async function settleOrganization(context: Context, keeper: Keeper, known: Settled): Promise<readonly Advice[]> {
  const { identity, screen, places } = context;
  const names = listNames(known.reach);
  const { profile, keepsSettings } = keeper;
  const { facts, named } = known;
  // A list that the token can read, and what works without an organization.
  const list = facts.kind === 'audit-trail' ? ['audit-trail', 'list'] : ['members', 'list'];
  const aside = known.reach === undefined ? ['auth', 'status'] : ['members', 'mine'];
  sayNames(context, known, names, profile);
  if (!keepsSettings) {
    const { source } = identity.settings['base-url'];
    const own = findOwnHost(undefined, places.store.readConfig());
    screen.note(`${own} stays the default service. Name this one with ${source}, or log in with --profile <name>.`);
    const org = named ?? names[0];
    return org === undefined ? [toNext(aside, [])] : [toNext(list, ['--org', org])];
  }
  const { value, source } = identity.settings.org;
  // A variable, which comes before what could be stored.
  if (value !== undefined && profile === undefined && ![CONFIG_FILE, NOT_SET, '--org'].includes(source)) {
    const isMissing = names.length > 0 && !names.some((name) => foldName(name) === foldName(value));
    if (isMissing) screen.warn(`${source} names ${value}, which this token doesn't reach`);
    else screen.note(`${source} names ${value}.`);
    return [toNext(list, [AS_STORED])];
  }
  const chosen = await choose(context, keeper, named, names);
  if (chosen !== undefined) {
    const other = names.find((name) => name !== chosen);
    const hint = other === undefined ? '' : ` Another one for one command: --org ${other}`;
    screen.done(`${chosen} is the default${profile === undefined ? '' : ` of profile ${profile}`}.${hint}`);
  }
  const [first] = names;
  const set = (org: string): Advice => ({
    text: 'Set the default organization, or add --org <name> to each command:',
    next: [toSet(org), ['orgctl', 'members', 'list', AS_STORED]],
  });
  if (chosen !== undefined) return [toNext(list, [AS_STORED])];
  return [first === undefined ? toNext(aside, [AS_STORED]) : set(first)];
}

function toSet(org: string): readonly string[] {
  return ['orgctl', 'settings', 'set', 'org', org, AS_STORED];
}

function sayNames(
  { screen }: Context,
  { facts, reach, named }: Settled,
  names: readonly string[],
  profile: string | undefined,
): void {
  const isPerson = facts.kind === 'user' || facts.kind === null;
  if (reach === undefined) {
    if (named === undefined)
      screen.note(
        `The service doesn't show which organization this token belongs to. Set it with ${toSettings(profile)} set org <name>.`,
      );
  } else if (names.length === 0) {
    screen.note('You are not a member of any organization.');
  } else if (names.length === 1) {
    screen.note(`${isPerson ? 'Your organization' : "The token's organization"}: ${names[0]}`);
  } else {
    screen.note(`Your organizations: ${join(names)}`);
  }
}

/** Two commands that work now, with these options. */
function toNext(first: readonly string[], more: readonly string[]): Advice {
  const next = [first, ['doctor']].map((words) => ['orgctl', ...words, ...more]);
  return { text: 'Next:', next };
}

/** The default from now on, stored where it is new; undefined where none is. */
async function choose(
  { identity, screen, places }: Context,
  keeper: Keeper,
  named: string | undefined,
  names: readonly string[],
): Promise<string | undefined> {
  const { profile } = keeper;
  const { store } = places;
  const keep = async (org: string): Promise<string> => {
    await (profile === undefined ? store.writeConfig({ org }) : store.writeProfile(profile, { org }));
    return org;
  };
  if (named !== undefined) return await keep(named);
  const config = store.readConfig();
  const { org: stored } = profile === undefined ? config : (readProfile(config, profile) ?? {});
  const find = (name: unknown): string | undefined =>
    names.find((each) => typeof name === 'string' && foldName(each) === foldName(name));
  if (stored !== undefined && (names.length === 0 || find(stored) !== undefined)) return String(stored);
  if (stored !== undefined)
    screen.warn(`${String(stored)} is the default organization, and this token doesn't reach it`);
  const [first] = names;
  if (first === undefined) return undefined;
  if (stored === undefined && names.length === 1) return await keep(first);
  if (!screen.canAsk()) return undefined;
  // Another profile's organization may belong to another service.
  const proposed = (profile === identity.profile?.name ? find(identity.settings.org.value) : undefined) ?? first;
  const question = {
    question: 'Default organization',
    proposed,
    read(text: string): string {
      const found = find(text);
      if (found !== undefined) return found;
      throw new UsageError(`${text} is not one of your organizations`, { hint: `They are ${join(names)}.` });
    },
  };
  const answer = await withStored(
    () => screen.ask(question),
    'The token is stored. No default organization was chosen.',
    { hint: 'Choose one:', next: [toSet(proposed)] },
  );
  return answer === undefined ? undefined : await keep(answer);
}

function listNames(reach: Reach | undefined): readonly string[] {
  return [...(reach?.values() ?? [])];
}

const MOST_NAMED = 12;

function join(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
