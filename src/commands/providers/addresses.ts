import { flatten } from '../../api/flatten.ts';
import { listProviders } from '../../api/providers.ts';
import type { Batch } from '../../cli/batch.ts';
import { argument, type Complete } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { createOrgRecord } from '../../lib/json.ts';
import { type AddressScope, addAddress, formatTarget, type ProviderTarget } from '../../providers/address.ts';
import { RESULT_COLUMNS } from './columns.ts';

const FORMS = 'registry/namespace/name, namespace/name, or the name of a private one';

/** The shortest form that `parseAddress` takes is offered once something is typed. */
export function completeProviders(registry?: string): Complete {
  return async ({ open, text }) => {
    const { client, org } = await open();
    const search = text.split('/').slice(1).at(-1) || undefined;
    const records = await listProviders(client, org(), { registry, search }).all({ page: 1, pageSize: 100 });
    const addresses = records.map((record) => String(addAddress(flatten(record)).address));
    return text === ''
      ? addresses
      : [...addresses, ...addresses.map((address) => address.replace(/^(public\/|private\/.*\/)/, ''))];
  };
}

export const ADDRESS_ARGUMENT = argument('<address>', FORMS, { complete: completeProviders() });
export const ADDRESSES_ARGUMENT = argument('<addresses...>', FORMS);

export function createScope({ settings }: Session, org: string): AddressScope {
  return { org, host: new URL(settings['base-url'].value).host };
}

/** Registries ignore the case of addresses, but not of versions. */
export function dropDuplicates(targets: ProviderTarget[]): ProviderTarget[] {
  const key = (target: ProviderTarget) => formatTarget(target).replace(/^[^@]*/, (address) => address.toLowerCase());
  return [...new Map(targets.map((target) => [key(target), target])).values()];
}

/** What a command was asked to change. */
export interface NamedTarget {
  org: string;
  target: ProviderTarget;
  /** Undefined if it does not exist. */
  id: string | undefined;
}

/** What the batches of providers share. */
export const PROVIDER_BATCH: Pick<Batch<NamedTarget>, 'columns' | 'things' | 'name' | 'row'> = {
  columns: RESULT_COLUMNS,
  things: ['provider', 'providers'],
  name: ({ target }) => formatTarget(target),
  row: ({ org, target, id = null }) => ({
    id,
    type: findType(target),
    address: formatTarget(target),
    organization: createOrgRecord(org),
  }),
};

function findType({ version, platform }: ProviderTarget): string {
  if (version === undefined) return 'registry-providers';
  return platform ? 'registry-provider-platforms' : 'registry-provider-versions';
}
