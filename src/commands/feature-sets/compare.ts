import type { Context } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { toText } from '../../json-object.ts';
import { isSameName } from '../../names.ts';
import { readAll } from '../../service/pages.ts';
import type { FeatureSet } from '../../wire/resources.ts';
import { text } from '../param.ts';
import { verb } from '../verb.ts';
import { toOfferColumns, toPairColumns } from './columns.ts';
import { compareOffers, comparePair } from './differences.ts';

type Pair = readonly [first: string, second: string];

export const compare = verb({
  name: 'feature-sets compare',
  help: "Compare an organization's plans with everyone's, or two plans",
  effect: 'reads',
  args: {
    plans: text('[plans...]', 'Two plans by name or id (with --org, as that organization gets them)', {
      complete: 'plans',
    }),
  },
  examples: [
    'orgctl feature-sets compare',
    'orgctl feature-sets compare plus premium',
    'orgctl feature-sets compare --org globex --fields name,difference -o json',
  ],
  columns: toOfferColumns(''),
  others: [{ with: ['[plans...]'], columns: toPairColumns('', '') }],
  async run(context, { plans }) {
    const pair = toPair(plans);
    if (pair === undefined) await compareWithEverybody(context);
    else await compareTwo(context, pair);
  },
});

function toPair(plans: readonly string[]): Pair | undefined {
  const [first, second] = plans;
  if (first === undefined) return undefined;
  if (second === undefined || plans.length > 2) {
    throw new UsageError(`can't compare ${plans.length} plan${plans.length === 1 ? '' : 's'}`, {
      hint: "Give two plans, or none to compare an organization's plans with everyone's. They are listed by:",
      next: [['orgctl', 'feature-sets', 'list']],
    });
  }
  if (first === second) throw new UsageError(`${first} is given twice`, { hint: 'Give two plans.' });
  return [first, second];
}

async function compareWithEverybody({ identity, screen, services }: Context): Promise<void> {
  const organization = identity.organization();
  const { listFeatureSets } = await services.current();
  const [everybody, own] = await Promise.all([
    readAll(listFeatureSets(undefined, {})),
    readAll(listFeatureSets(organization, {})),
  ]);
  await screen.list(toOfferColumns(organization), compareOffers(everybody, own));
}

async function compareTwo({ identity, screen, services }: Context, [first, second]: Pair): Promise<void> {
  const organization = identity.optionGiven('org') ? identity.organization() : undefined;
  const { listFeatureSets } = await services.current();
  const all = await readAll(listFeatureSets(organization, {}));
  const find = (word: string): FeatureSet => {
    const named = all.filter((set) => isSameName(toName(set), word));
    const found = all.find(({ id }) => id === word) ?? (named.length === 1 ? named[0] : undefined);
    if (found !== undefined) return found;
    const finding = named.length > 1 ? `${named.length} plans are called ${word}` : `no plan ${word}`;
    const where = organization === undefined ? '' : ` for ${organization}`;
    throw new OrgctlError('not-found', `${finding}${where}`, {
      reasons: (named.length > 1 ? named : all).map(
        (set) => `${set.id} is ${toText(set.attributes?.['name']) ?? 'without a name'}.`,
      ),
      hint: named.length > 1 ? 'Use one of these ids.' : 'Use one of these names or ids.',
    });
  };
  const [one, other] = [find(first), find(second)];
  const differences = comparePair(one, other);
  const isRead = (await screen.output()).format.forPeople && screen.requested.fields === undefined;
  // People read in the head which two they are.
  const shown = isRead ? differences.filter(({ attribute }) => !IDENTITY.has(attribute)) : differences;
  await screen.list(toPairColumns(toName(one), toName(other)), shown);
}

const IDENTITY: ReadonlySet<string> = new Set(['id', 'identifier', 'name']);

function toName({ id, attributes }: FeatureSet): string {
  return toText(attributes?.['name']) ?? id;
}
