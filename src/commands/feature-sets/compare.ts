import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { toText } from '../../json-object.ts';
import type { ListReading } from '../../service/pages.ts';
import type { Resource } from '../../wire/json-api.ts';
import { addExamples } from '../options.ts';
import { toOfferColumns, toPairColumns } from './columns.ts';
import { compareOffers, comparePair } from './differences.ts';

type Pair = readonly [first: string, second: string];

export function registerCompare(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('compare')
    .description('what an organization is not offered or is offered otherwise, or how two feature sets differ')
    .argument('[ids...]', 'two feature sets; with --org on the command line, as that organization is offered them');
  addExamples(verb, {
    'orgctl feature-sets compare --org acme': 'what is special about the offer to acme',
    'orgctl feature-sets compare --org globex --fields name,difference -o json': 'the same for globex, as JSON',
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
    throw new UsageError(`two feature sets can be compared, not ${ids.length}`, {
      hint: 'Give two ids, or none for what the organization is offered. They are listed by:',
      next: [['orgctl', 'feature-sets', 'list']],
    });
  }
  if (first === second) throw new UsageError(`${first} is given twice`, { hint: 'Give the ids of two feature sets.' });
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
    throw new OrgctlError('not-found', `there is no feature set ${id}${where}`, {
      reasons: all.map((set) => `${set.id} is ${toText(set.attributes?.['name']) ?? 'without a name'}`),
      hint: 'Give one of these ids.',
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
