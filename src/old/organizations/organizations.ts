import { orUndefined, UsageError } from '../errors.ts';
import { sortNames } from '../names.ts';
import { once } from '../once.ts';
import type { Page } from '../service/page.ts';
import type { Service } from '../service/service.ts';
import type { Membership } from '../wire/resources.ts';
import { refuseUnread, toUnread } from './failures.ts';
import {
  findOrganizations,
  findReach,
  type Reach,
  readOwn,
  refuseUnreached,
  type Several,
} from './find-organizations.ts';
import { type FoundEach, findEach } from './side-by-side.ts';

/** How a command line says which organizations it is about. */
export interface About {
  /** `--org` also where the name comes from elsewhere. */
  readonly option: '--org' | '--orgs' | '--all-orgs';
  /** Whether it is about one, so that what is printed need not say which. A list of names may have one, too. */
  readonly isOne: boolean;
}

/** The organizations that a command is about: always a list, of one as of many. What is asked of the service is asked once. */
export interface Organizations extends About {
  /**
   * By name. Throws UsageError where none is named or the service shows none, and, before any request, where what is printed
   * can't hold several.
   */
  names(): Promise<readonly string[]>;
  /** The caller's own memberships; none where the token is no person's, or the service does not show them. */
  own(): Promise<readonly Page<Membership>[]>;
  /** Of a command that changes something: throws where the token is known not to reach one of several names. */
  checkReach(): Promise<void>;
  /** Those that the token reaches; undefined where the names come from there, or the service does not show them. */
  reach(): Promise<Reach | undefined>;
}

interface Parts {
  readonly several: Several | undefined;
  /** The one, where they are not several. */
  organization(): string;
  findService(): Promise<Service>;
  /** Whether one of several names that the token does not reach ends the command, before anything is changed. */
  readonly refusesUnreached: boolean;
}

export function createOrganizations(parts: Parts): Organizations {
  const { several, organization, findService, refusesUnreached } = parts;
  const findAll = once(async () => await findOrganizations(await findService()));
  const reach = once(async () => (several === 'all' ? undefined : await findReach(await findService())));
  return {
    option: several === undefined ? '--org' : several === 'all' ? '--all-orgs' : '--orgs',
    isOne: several === undefined,
    names: once(async () => {
      if (several === undefined) return [organization()];
      return several === 'all' ? (await findAll()).organizations : sortNames(several);
    }),
    own: once(async () => (several === 'all' ? (await findAll()).own : await readOwn(await findService()))),
    reach,
    checkReach: once(async () => {
      if (!refusesUnreached || !Array.isArray(several)) return;
      const { permits } = await findService();
      await refuseUnreached(several, await reach(), async (organization) => {
        const found = await orUndefined(permits.findOrganization(organization));
        return found !== undefined;
      });
    }),
  };
}

/**
 * What is found in each. What keeps one of several from being read stands in its place; of one it is thrown. `chosen`: their
 * names, where the command has asked already.
 */
export async function findInEach<T>(
  organizations: Organizations,
  find: (organization: string) => Promise<T>,
  chosen?: readonly string[],
): Promise<readonly FoundEach<T>[]> {
  const names = chosen ?? (await organizations.names());
  await organizations.checkReach();
  if (!organizations.isOne) return await findEach(names, find);
  return await Promise.all(names.map(async (organization) => ({ organization, value: await find(organization) })));
}

/**
 * Finds something in each organization before a file is applied, and leaves out organizations that can't be read.
 * Throws a mistake in the file or on the command line, and, where no organization can be read, the reason.
 */
export async function findReadable<T>(
  organizations: Organizations,
  find: (organization: string) => Promise<T>,
): Promise<readonly FoundEach<T>[]> {
  const found = await findInEach(organizations, find);
  const unread = toUnread(found);
  const mistake = unread.find(({ error }) => error instanceof UsageError);
  if (mistake !== undefined) throw mistake.error;
  if (unread.length === found.length) refuseUnread(unread, found.length);
  return found;
}
