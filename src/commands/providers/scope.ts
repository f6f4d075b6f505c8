import type { Session } from '../../cli/session.ts';
import type { AddressScope } from '../../providers/address.ts';

/** Where addresses of the command line are read. */
export function createScope({ settings }: Session, org: string): AddressScope {
  return { org, host: new URL(settings['base-url'].value).host };
}
