import { findMember } from '../../people/find-members.ts';
import { INCLUDE, toInclude } from '../include.ts';
import { member } from '../people.ts';
import { verb } from '../verb.ts';
import { MEMBERSHIP_COLUMNS } from './columns.ts';

export const show = verb({
  name: 'members show',
  aliases: ['get'],
  help: 'Show one member or invitation',
  effect: 'reads',
  args: { member: member('<member>', 'Email, user name, membership id or user id') },
  options: INCLUDE,
  examples: [
    'orgctl members show olive.owner@example.com',
    'orgctl members show olive-owner --fields email,teams.name -o json',
  ],
  columns: MEMBERSHIP_COLUMNS,
  printsOne: true,
  async run({ identity, screen, services }, { member: reference, include }) {
    const included = toInclude(include, screen.requested.fields);
    const { memberships } = await services.current();
    const id =
      reference.kind === 'membership'
        ? reference.id
        : (await findMember(memberships, identity.organization(), reference)).id;
    await (await screen.output()).one(MEMBERSHIP_COLUMNS, await memberships.show(id, included));
  },
});
