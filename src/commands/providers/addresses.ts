import { argument } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { type AddressScope, formatTarget, type ProviderTarget } from '../../providers/address.ts';

const FORMS = 'registry/namespace/name, namespace/name, or the name of a private one';

export const ADDRESS_ARGUMENT = argument('<address>', FORMS);
export const ADDRESSES_ARGUMENT = argument('<addresses...>', FORMS);

export function createScope({ settings }: Session, org: string): AddressScope {
  return { org, host: new URL(settings['base-url'].value).host };
}

export function dropDuplicates(targets: ProviderTarget[]): ProviderTarget[] {
  return [...new Map(targets.map((target) => [formatTarget(target), target])).values()];
}
