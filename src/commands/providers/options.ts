import type { Command } from 'commander';
import type { Context } from '../../context/context.ts';
import type { AddressContext } from '../../service/provider-address.ts';

export function addAddressOptions(command: Command): Command {
  return command
    .option('--registry <registry>', 'public or private (with --namespace and --name, instead of an address)')
    .option('--namespace <namespace>', "The provider's namespace (with --name)")
    .option('--name <name>', "The provider's name");
}

export function toAddressContext({ identity }: Context): AddressContext {
  return { organization: identity.organization(), serviceHost: identity.serviceHost() };
}
