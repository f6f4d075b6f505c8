import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import type { ListReading } from '../../service/pages.ts';
import type { Service } from '../../service/service.ts';
import type { Provider } from '../../wire/resources.ts';
import { addPageOptions, type PageFlags, toPageOptions, toSearch } from '../options.ts';
import { addOrganizationsOptions, listSeveral } from '../organizations.ts';
import { PROVIDER_COLUMNS } from './columns.ts';

interface Flags extends PageFlags {
  readonly search?: string;
  readonly registry?: string;
  readonly owner?: string;
}

type Input = ReturnType<typeof toListInput>;

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('list')
    .alias('ls')
    .description('List public and private providers')
    .option('-s, --search <text>', 'Only names and namespaces that contain this')
    .option('--registry <registry>', 'Only public or only private ones')
    .option('--owner <organization>', 'Only those of this organization');
  addDocumentation(addPageOptions(addOrganizationsOptions(verb)), {
    examples: [
      'orgctl providers list',
      'orgctl providers list --registry private -o json',
      'orgctl providers list --all-orgs',
    ],
    columns: PROVIDER_COLUMNS,
  }).action((flags: Flags) => listProviders(open(verb), toListInput(flags)));
}

function toListInput(flags: Flags) {
  if (flags.registry !== undefined && flags.registry !== 'public' && flags.registry !== 'private') {
    throw new UsageError(`--registry must be public or private, not '${flags.registry}'`, {
      hint: 'Leave it out to list both.',
    });
  }
  const search = toSearch('--search', flags.search);
  const owner = toSearch('--owner', flags.owner);
  const filter = { search, registryName: flags.registry, organizationName: owner };
  return { filter, page: toPageOptions(flags) };
}

async function listProviders(context: Context, { filter, page }: Input): Promise<void> {
  const { identity, screen, services } = context;
  const read = ({ providers }: Service, organization: string): ListReading<Provider> =>
    providers.list(organization, filter, page);
  if (identity.several !== undefined) return await listSeveral(context, PROVIDER_COLUMNS, read, page);
  const organization = identity.organization();
  await screen.list(PROVIDER_COLUMNS, read(await services.current(), organization));
}
