import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import type { Include } from '../../service/include.ts';
import { toOrganization } from '../../service/organization.ts';
import type { PageOptions } from '../../service/page.ts';
import { withFill } from '../../service/pages.ts';
import type { Resource } from '../../wire/json-api.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../../wire/resources.ts';
import { addIncludeOption, type IncludeFlags, toInclude } from '../include.ts';
import { addPageOptions, type PageFlags, toPageOptions } from '../options.ts';
import { OWN_MEMBERSHIP_COLUMNS } from './columns.ts';

const WITHOUT_PERSON = 'Your token belongs to no person, so it is a member of no organization.';

export function registerMine(noun: Command, open: OpenContext): void {
  const verb = noun.command('mine').description('List the organizations you are in');
  addDocumentation(addPageOptions(addIncludeOption(verb)), {
    examples: ['orgctl members mine', 'orgctl members mine --fields organization.id'],
    columns: OWN_MEMBERSHIP_COLUMNS,
  }).action(async (flags: PageFlags & IncludeFlags) => {
    const context = open(verb);
    await listMine(context, toInclude(flags, context.screen.requested.fields), toPageOptions(flags));
  });
}

async function listMine({ screen, services }: Context, include: Include, page: PageOptions): Promise<void> {
  const { format } = await screen.output();
  const { memberships, identifyCaller } = await services.current();
  const reading = withFill(memberships.listOwn(include, page), async (empty) => {
    const { kind, organization } = await identifyCaller();
    // A document is printed as it came.
    if (organization !== undefined && format.document !== 'service')
      return { ...empty, items: [toPlace(organization)] };
    if (kind !== 'user') screen.note(WITHOUT_PERSON);
    return undefined;
  });
  await screen.list(OWN_MEMBERSHIP_COLUMNS, reading);
}

/** Where an organization token is: in no membership, but in its organization. */
function toPlace(organization: string): Omit<Resource, 'id'> & { readonly id?: string } {
  return { type: ORGANIZATION_MEMBERSHIPS, relationships: { organization: { data: toOrganization(organization) } } };
}
