import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { toText } from '../../json-object.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import type { ListReading } from '../../service/pages.ts';
import type { Resource } from '../../wire/json-api.ts';
import { toOfferColumns, toPairColumns } from './columns.ts';
import { compareOffers, comparePair } from './differences.ts';

type Pair = readonly [first: string, second: string];

export function registerCompare(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('compare')
    .description("Compare an organization's plans with everyone's, or two plans")
    .argument('[ids...]', 'Two plans (with --org, as that organization gets them)');
  addDocumentation(verb, {
    examples: [
      'orgctl feature-sets compare',
      'orgctl feature-sets compare --org globex --fields name,difference -o json',
    ],
    columns: toOfferColumns(''),
  }).action(async (ids: readonly string[]) => {
    const context = open(verb);
    const pair = toPair(ids);
    if (pair === undefined) await compareWithEverybody(context);
    else await compareTwo(context, pair);
  });
}

function toPair(ids: readonly string[]): Pair | undefined {
  const [first, second] = ids;
  if (first === undefined) return undefined;
  if (second === undefined || ids.length > 2) {
    throw new UsageError(`can't compare ${ids.length} plan${ids.length === 1 ? '' : 's'}`, {
      hint: "Give two ids, or none to compare an organization's plans with everyone's. The ids are listed by:",
      next: [['orgctl', 'feature-sets', 'list']],
    });
  }
  if (first === second) throw new UsageError(`${first} is given twice`, { hint: 'Give the ids of two plans.' });
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
  const find = (id: string): Resource => {
    const found = all.find((set) => set.id === id);
    if (found !== undefined) return found;
    const where = organization === undefined ? '' : ` for ${organization}`;
    throw new OrgctlError('not-found', `no plan ${id}${where}`, {
      reasons: all.map((set) => `${set.id} is ${toText(set.attributes?.['name']) ?? 'without a name'}.`),
      hint: 'Use one of these ids.',
    });
  };
  const [one, other] = [find(first), find(second)];
  await screen.list(toPairColumns(toName(one), toName(other)), comparePair(one, other));
}

function toName({ id, attributes }: Resource): string {
  return toText(attributes?.['name']) ?? id;
}

async function readAll(reading: ListReading): Promise<readonly Resource[]> {
  return (await reading.collect()).flatMap(({ items }) => items as readonly Resource[]);
}
