import { toOrganization } from '../../resources/organization.ts';
import { withFill } from '../../service/pages.ts';
import { type Membership, ORGANIZATION_MEMBERSHIPS } from '../../wire/resources.ts';
import { INCLUDE, toInclude } from '../include.ts';
import { PAGE, toPage } from '../options.ts';
import { verb } from '../verb.ts';
import { OWN_MEMBERSHIP_COLUMNS } from './columns.ts';

const WITHOUT_PERSON = 'Your token belongs to no person, so it is a member of no organization.';

export const mine = verb({
  name: 'members mine',
  help: 'List the organizations you are in',
  effect: 'reads',
  topic: 'output',
  options: { ...INCLUDE, ...PAGE },
  examples: ['orgctl members mine', 'orgctl members mine --fields organization.id'],
  columns: OWN_MEMBERSHIP_COLUMNS,
  async run({ screen, services }, { include, ...page }) {
    const [included, part] = [toInclude(include, screen.requested.fields), toPage(page)];
    const { memberships, identifyCaller } = await services.current();
    const reading = withFill<Placed>(memberships.listOwn(included, part), async (empty) => {
      const { kind, organization } = await identifyCaller();
      if (organization !== undefined) return { ...empty, items: [toMembershipOf(organization)] };
      if (kind !== 'user') screen.note(WITHOUT_PERSON);
      return undefined;
    });
    await screen.list(OWN_MEMBERSHIP_COLUMNS, reading);
  },
});

/** A membership, or only where it would be: that has no id. */
type Placed = Omit<Membership, 'id'> & { readonly id?: string };

/** Where an organization token is: in no membership, but in its organization. */
function toMembershipOf(organization: string): Placed {
  return { type: ORGANIZATION_MEMBERSHIPS, relationships: { organization: { data: toOrganization(organization) } } };
}
