import { parseRegistry, REGISTRIES } from '../../resources/provider-address.ts';
import type { ListReading } from '../../service/pages.ts';
import type { Service } from '../../service/service.ts';
import type { Provider } from '../../wire/resources.ts';
import { PAGE, search, toPage } from '../options.ts';
import { listEach, ORGANIZATIONS } from '../organizations.ts';
import { valued } from '../param.ts';
import { verb } from '../verb.ts';
import { PROVIDER_COLUMNS } from './columns.ts';

export const list = verb({
  name: 'providers list',
  aliases: ['ls'],
  help: 'List public and private providers',
  effect: 'reads',
  options: {
    search: search('-s, --search <text>', 'Only names and namespaces that contain this'),
    registry: valued(
      '--registry <registry>',
      'Only public or only private providers',
      (given) => parseRegistry(given, 'Leave it out to list both.'),
      { complete: REGISTRIES },
    ),
    owner: search('--owner <organization>', 'Only providers of this organization', { complete: 'organizations' }),
    ...ORGANIZATIONS,
    ...PAGE,
  },
  examples: [
    'orgctl providers list',
    'orgctl providers list --registry private -o json',
    'orgctl providers list --all-orgs',
  ],
  columns: PROVIDER_COLUMNS,
  async run(context, { search: wanted, registry, owner, ...rest }) {
    const page = toPage(rest);
    const filter = { search: wanted, registryName: registry, organizationName: owner };
    const read = ({ providers }: Service, organization: string): ListReading<Provider> =>
      providers.list(organization, filter, page);
    await listEach(context, PROVIDER_COLUMNS, read, page);
  },
});
