import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context.ts';
import { toAddressText } from '../../service/providers.ts';
import { doJob } from '../many.ts';
import { addExamples } from '../options.ts';
import { toChangeView } from '../views/changes.ts';
import { PROVIDER_VIEW } from '../views/providers.ts';
import { type AddressFlags, addAddressOptions, type ParsedAddress, toAddresses, toAddressSetting } from './address.ts';

const VIEW = toChangeView(PROVIDER_VIEW);

export function registerCreate(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('create')
    .description('curate public providers or add private ones; one that is there already is left as it is')
    .argument('[address...]', 'registry/namespace/name, namespace/name, or the name of a private one');
  addExamples(addAddressOptions(verb), [
    { command: 'orgctl providers create hashicorp/google --org acme', shows: 'curate a public provider' },
    { command: 'orgctl providers create private/acme/billing --org acme', shows: 'add a private one' },
  ]).action(async function (this: Command, texts: readonly string[], flags: AddressFlags) {
    const context = open(this);
    await createProviders(context, toAddresses(texts, flags, toAddressSetting(context)));
  });
}

async function createProviders(context: Context, addresses: readonly ParsedAddress[]): Promise<void> {
  const organization = context.organization();
  const output = await context.output();
  output.checkFields(VIEW);
  const { providers } = await context.service();
  await doJob(context, {
    items: addresses,
    view: VIEW,
    name: ({ address }) => toAddressText(address),
    async act({ address }) {
      const present = await providers.find(organization, address, 'create');
      const document = present ?? (await providers.create(organization, address));
      if (document === undefined) return undefined;
      if (present === undefined && address.registryName === 'private') {
        context.note(
          `${toAddressText(address)} is listed now, and cannot be used until it has a version, a platform and its release files`,
        );
      }
      return { resource: document.data, document, extra: { changed: present === undefined } };
    },
  });
}
