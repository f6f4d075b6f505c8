import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { readText } from '../../files/read-text.ts';
import { toUnread, type Unread } from '../../organizations/failures.ts';
import { findReadable } from '../../organizations/organizations.ts';
import type { Plan, PlanRules } from '../../provider-list/plan.ts';
import type { Problem, WantedProvider } from '../../provider-list/provider-list.ts';
import { toAddressKey } from '../../resources/provider-address.ts';
import type { Service } from '../../service/service.ts';
import { countThings } from '../../text/count.ts';
import { flag, needed, text, type Values } from '../param.ts';
import { toFileReader } from '../people.ts';
import type { PlanSource } from '../plans.ts';
import { type Bare, findMistakable } from './mistakable.ts';

/** What plan and apply share: the file of providers, and how organizations differ from it. */

export interface ListFileInput extends PlanRules {
  readonly file: string;
}

export const LIST_FILE = {
  file: needed(text('--file <path>', 'The providers: YAML or JSON; - is stdin', { complete: 'files' }), {
    is: 'the providers',
    hint: 'To print a file of the current providers:',
    next: ['orgctl', 'providers', 'plan', '--init'],
  }),
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
  if (prunePrivate && !prune) {
    throw new UsageError('--prune-private works only with --prune', { hint: 'Without --prune nothing is deleted.' });
  }
  return { file, prune, prunePrivate };
}

export interface Planned extends PlanSource {
  readonly plans: readonly Plan[];
  /** Organizations that could not be read. */
  readonly unread: readonly Unread[];
  /** All of them, by name. */
  readonly organizations: readonly string[];
  readonly isSeveral: boolean;
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
  const about = isOfFile ? context.ofFile(list.organizations, name) : context;
  const organizations = await about.organizations.names();
  const wanted = new Map(organizations.map((organization) => [organization, list.resolve(organization)]));
  const folded = Math.max(0, ...[...wanted.values()].map((each) => each.folded));
  if (folded > 0) screen.note(`${name}: ${countThings(folded, 'entry repeats', 'entries repeat')} a provider.`);
  const service = await services.current();
  const plan = (organization: string): Promise<Plan> =>
    planProviders(service, organization, wanted.get(organization)?.wanted ?? [], rules);
  const found = await findReadable(about.organizations, plan);
  const plans = found.flatMap(({ value }) => value ?? []);
  refuseLines(await findBareLines(service, plans, wanted), name, 'Write the address out, such as private/billing.');
  return {
    plans,
    unread: toUnread(found),
    organizations,
    isSeveral: !about.organizations.isOne,
    isOfFile,
    name,
    isFile,
  };
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
