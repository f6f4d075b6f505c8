import type { Context } from '../../context/context.ts';
import { type OrgctlError, UsageError } from '../../errors.ts';
import { readText } from '../../files/read-text.ts';
import { createFailures } from '../../organizations/failures.ts';
import { type FoundEach, findEach } from '../../organizations/side-by-side.ts';
import type { Plan, PlanRules } from '../../provider-list/plan.ts';
import type { Problem, WantedProvider } from '../../provider-list/provider-list.ts';
import { toAddressKey } from '../../resources/provider-address.ts';
import type { Service } from '../../service/service.ts';
import { countOrganizations, countThings } from '../../text/count.ts';
import { flag, text, type Values } from '../param.ts';
import { toFileReader } from '../people.ts';
import { type Bare, findMistakable } from './mistakable.ts';

/** What plan and apply share: the file of providers, and how organizations differ from it. */

export interface ListFileInput extends PlanRules {
  readonly file: string;
}

export const LIST_FILE = {
  file: text('--file <path>', 'The providers: YAML or JSON; - is stdin'),
  prune: flag('--prune', 'Delete providers that are not in the file (never private ones)'),
  prunePrivate: flag('--prune-private', 'With --prune: delete private ones too, and their versions'),
};

/** Printed behind the help of what takes a file of providers. */
export const LIST_FILE_HELP = `
The file, for one organization:
  providers: [hashicorp/aws, private/billing]
For several:
  organizations:
    acme:
      providers: [hashicorp/aws]`;

export function toListFileInput({ file, prune, prunePrivate }: Values<typeof LIST_FILE>): ListFileInput {
  if (file === undefined) {
    throw new UsageError('missing --file: the providers', {
      hint: 'To print a file of the current providers:',
      next: [['orgctl', 'providers', 'plan', '--init']],
    });
  }
  if (prunePrivate && !prune) {
    throw new UsageError('--prune-private works only with --prune', { hint: 'Without --prune nothing is deleted.' });
  }
  return { file, prune, prunePrivate };
}

export interface Planned {
  readonly plans: readonly Plan[];
  /** Organizations that could not be read. */
  readonly unread: readonly Unread[];
  /** All of them, by name. */
  readonly organizations: readonly string[];
  readonly isSeveral: boolean;
  /** Whether the file names them. */
  readonly isOfFile: boolean;
  readonly name: string;
  readonly isFile: boolean;
}

export interface Unread {
  readonly organization: string;
  readonly error: OrgctlError;
}

/** Reads and compares, and sends nothing. Throws UsageError for a file that can't be used, and where no organization can be read. */
export async function planFromFile(context: Context, { file, ...rules }: ListFileInput): Promise<Planned> {
  const { identity, screen, services } = context;
  const { text: content, name, isFile } = await readText(toFileReader(context), file);
  // With the parser of YAML.
  const { parseProviderList, refuseLines } = await import('../../provider-list/provider-list.ts');
  const { planProviders } = await import('../../provider-list/plan-providers.ts');
  const list = parseProviderList(content, name, {
    organization: () => (context.organizations.isOne ? identity.organization() : undefined),
    serviceHost: identity.serviceHost(),
  });
  const isOfFile = list.organizations !== undefined;
  if (isOfFile) refuseOptions(context, name);
  const organizations = list.organizations ?? (await context.organizations.names());
  const wanted = new Map(organizations.map((organization) => [organization, list.resolve(organization)]));
  const folded = Math.max(0, ...[...wanted.values()].map((each) => each.folded));
  if (folded > 0) screen.note(`${name}: ${countThings(folded, 'entry repeats', 'entries repeat')} a provider.`);
  const service = await services.current();
  const plan = (organization: string): Promise<Plan> =>
    planProviders(service, organization, wanted.get(organization)?.wanted ?? [], rules);
  const progress = screen.progress('Reading providers');
  try {
    const found = await findIn(organizations, plan);
    const plans = found.flatMap(({ value }) => value ?? []);
    refuseLines(await findBareLines(service, plans, wanted), name, 'Write the address out, such as private/billing.');
    return {
      plans,
      unread: toUnread(found),
      organizations,
      isSeveral: isOfFile || !context.organizations.isOne,
      isOfFile,
      name,
      isFile,
    };
  } finally {
    progress.stop();
  }
}

/** A file is applied where no one is asked: what a name alone means is written into it. */
async function findBareLines(
  service: Service,
  plans: readonly Plan[],
  wanted: ReadonlyMap<string, { readonly wanted: readonly WantedProvider[] }>,
): Promise<readonly Problem[]> {
  const lines = new Map<string, number>();
  const toKey = ({ organization, address }: Bare): string => `${organization} ${toAddressKey(address)}`;
  for (const [organization, { wanted: providers }] of wanted) {
    for (const { address, line, isBare } of providers)
      if (isBare === true) lines.set(toKey({ organization, address }), line);
  }
  const bare = plans.flatMap(({ steps }) => steps).filter((step) => step.action === 'create' && lines.has(toKey(step)));
  const found = bare.length === 0 ? [] : await findMistakable(service, bare);
  return found.map((one) => ({ line: lines.get(toKey(one)) ?? 0, text: one.finding }));
}

/** Throws what keeps the only one from being read, and what keeps all. */
export async function findIn<T>(
  organizations: readonly string[],
  find: (organization: string) => Promise<T>,
): Promise<readonly FoundEach<T>[]> {
  const found = await findEach(organizations, find);
  const unread = toUnread(found);
  if (unread.length > 0 && unread.length === organizations.length) refuseUnread(unread, organizations.length);
  return found;
}

export function toUnread(found: readonly FoundEach<unknown>[]): readonly Unread[] {
  return found.flatMap(({ organization, error }) => (error === undefined ? [] : [{ organization, error }]));
}

/** Throws where one could not be read, of so many. */
export function refuseUnread(unread: readonly Unread[], total: number): void {
  const failures = createFailures(total);
  for (const { organization, error } of unread) failures.add(organization, error);
  failures.refuse();
}

function refuseOptions({ identity }: Context, name: string): void {
  const given = (['org', 'orgs', 'allOrgs'] as const).find((option) => identity.optionGiven(option));
  if (given === undefined) return;
  throw new UsageError(
    `use --${given === 'allOrgs' ? 'all-orgs' : given} or a file that names organizations, not both`,
    {
      hint: `${name} names its organizations. Leave the option out, or put providers: at the top of the file.`,
    },
  );
}

/** `acme`, or `3 organizations`. */
export function describePlace(organizations: readonly string[]): string {
  const [only] = organizations;
  return organizations.length === 1 && only !== undefined ? only : countOrganizations(organizations.length);
}
