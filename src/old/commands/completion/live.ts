import { dirname, join } from 'node:path';
import type { Context, OpenContext, OpenedContext } from '../../context/context.ts';
import { makeFolder } from '../../files/durable-file.ts';
import { readFile } from '../../files/read-file.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { describeTokenReference, toBaseDescription } from '../../input/token-reference.ts';
import { getMember, isObject, toText } from '../../json-object.ts';
import { findOrganization } from '../../resources/organization.ts';
import { findAddress, toAddressText } from '../../resources/provider-address.ts';
import { NO_INCLUDE } from '../../service/include.ts';
import type { PageOptions } from '../../service/page.ts';
import { type ListReading, readAll } from '../../service/pages.ts';
import type { Service } from '../../service/service.ts';
import { listProfileNames } from '../../settings/profile.ts';
import { DAY, MINUTE } from '../../when.ts';
import type { Resource } from '../../wire/json-api.ts';
import type { Membership, Provider } from '../../wire/resources.ts';
import type { LiveKind } from '../param.ts';

/** A person waits at a prompt: one request, once, and not for long. */
const PATIENCE = '1s';
const FRESH = 2 * MINUTE;
/** Where the service does not answer, names this old are better than none. */
const USABLE = DAY;
const PAGE_SIZE = 100;
const ONE_PAGE: PageOptions = { page: 1, pageSize: PAGE_SIZE };

/**
 * The names as the service has them, or had them within two minutes; at most a page of them. Of more people than that,
 * those whom the service finds by `word`. Never throws, asks or says anything: completion gets what there is. `shared` are
 * the options that were typed.
 */
export async function readLiveNames(
  open: OpenContext,
  shared: Readonly<Record<string, unknown>>,
  kind: LiveKind,
  word: string,
): Promise<readonly string[]> {
  let context: OpenedContext | undefined;
  let kept: ReturnType<typeof readKept>;
  try {
    const quietly = {
      timeout: PATIENCE,
      maxRetries: '0',
      input: false,
      quiet: true,
      debug: false,
      dryRun: true,
      ...(kind === 'sandbox invitations' && !isElsewhere(shared) ? { sandbox: true } : {}),
    };
    context = open({ optsWithGlobals: () => ({ ...shared, ...quietly }) });
    const { places } = context;
    // Beside what else orgctl remembers of the organization; the organizations themselves are of the service.
    const folder = kind === 'organizations' ? places.serviceStateDirectory() : places.organizationStateDirectory();
    const file = join(folder, `completion-${kind.replace(' ', '-')}.json`);
    const now = places.host.now();
    kept = readKept(file);
    const age = kept === undefined ? Number.POSITIVE_INFINITY : now - kept.at;
    if (age < 0 || age > USABLE) kept = undefined;
    const search = word !== '' && kept !== undefined && kept.names.length >= PAGE_SIZE && isOfPeople(kind);
    if (search) return await ask(context, kind, word);
    if (kept !== undefined && age <= FRESH) return kept.names;
    const names = await ask(context, kind);
    try {
      makeFolder(dirname(file));
      replaceFile(file, `${JSON.stringify({ at: now, names })}\n`, places.uniqueName());
    } catch {
      // The names are given even where they could not be kept.
    }
    return names;
  } catch {
    return kept?.names ?? [];
  } finally {
    // Of several contexts main closes the last.
    await context?.close().catch(() => undefined);
  }
}

/** The profiles that are stored here. Never throws. */
export function readProfileNames(open: OpenContext, shared: Readonly<Record<string, unknown>>): readonly string[] {
  try {
    const { places } = open({ optsWithGlobals: () => shared });
    return listProfileNames(places.store.readConfig());
  } catch {
    return [];
  }
}

function isElsewhere(shared: Readonly<Record<string, unknown>>): boolean {
  return ['baseUrl', 'host', 'profile'].some((name) => shared[name] !== undefined);
}

function isOfPeople(kind: LiveKind): boolean {
  return kind === 'people' || kind === 'invited people' || kind === 'sandbox invitations';
}

async function ask({ identity, services }: Context, kind: LiveKind, search?: string): Promise<readonly string[]> {
  const choice = identity.isSandbox ? undefined : identity.findToken();
  // The command that prints the token may ask something, or take longer than anyone waits for a name.
  if (choice?.found === true && choice.command !== undefined) return [];
  const { memberships, teams, providers } = await services.current();
  switch (kind) {
    case 'organizations':
      return await collect(memberships.listOwn(NO_INCLUDE, ONE_PAGE), findOrganization);
    case 'teams':
      return await collect(teams.list(identity.organization(), ONE_PAGE), ({ attributes }) => attributes?.['name']);
    case 'providers':
      return await collect(providers.list(identity.organization(), {}, ONE_PAGE), toAddress);
    case 'people':
      return await collect(memberships.list(identity.organization(), { search }, NO_INCLUDE, ONE_PAGE), toEmail);
    case 'tokens':
      return await readTokenNames(await services.current(), identity.organization());
    case 'invited people':
    case 'sandbox invitations':
      return await collect(
        memberships.list(identity.organization(), { search, status: 'invited' }, NO_INCLUDE, ONE_PAGE),
        toEmail,
      );
  }
}

/** Each team's, and those with a description, under the name that a rotation keeps. */
async function readTokenNames({ teams, tokens }: Service, organization: string): Promise<readonly string[]> {
  const [listed, described] = await Promise.all([
    readAll(teams.list(organization, ONE_PAGE)),
    // Not every service has such tokens.
    readAll(tokens.listOfTeams(organization, ONE_PAGE)).catch(() => []),
  ]);
  const names = listed.flatMap(({ id, attributes }) => {
    const team = toText(attributes?.['name']) ?? id;
    const own = described.flatMap((token) => {
      const description = toText(token.attributes?.['description']);
      const isOwn = getMember(token.relationships, 'team', 'data', 'id') === id;
      return description === undefined || !isOwn ? [] : ({ kind: 'team', team, description } as const);
    });
    return [{ kind: 'team', team, description: null } as const, ...own];
  });
  return [
    ...new Set(
      names.map(({ description, ...name }) =>
        describeTokenReference({ ...name, description: description === null ? null : toBaseDescription(description) }),
      ),
    ),
  ];
}

async function collect<Item extends Resource>(
  reading: ListReading<Item>,
  toName: (item: Item) => unknown,
): Promise<readonly string[]> {
  const names = (await readAll(reading)).map(toName);
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}

function toEmail({ attributes }: Membership): unknown {
  return attributes?.['email'];
}

function toAddress(provider: Provider): string | undefined {
  const address = findAddress(provider);
  return address === undefined ? undefined : toAddressText(address);
}

function readKept(file: string): { readonly at: number; readonly names: readonly string[] } | undefined {
  try {
    const kept: unknown = JSON.parse(readFile(file).bytes.toString('utf8'));
    if (!isObject(kept) || typeof kept['at'] !== 'number' || !Array.isArray(kept['names'])) return undefined;
    return { at: kept['at'], names: kept['names'].filter((name) => typeof name === 'string') };
  } catch {
    return undefined;
  }
}
