import { findMember } from '../../people/find-members.ts';
import { INCLUDE, toInclude } from '../include.ts';
import { member, openDirectories } from '../people.ts';
import { verb } from '../verb.ts';
import { MEMBERSHIP_COLUMNS } from './columns.ts';

export const show = verb({
  name: 'members show',
  aliases: ['get'],
  help: 'Show one member or invitation',
  effect: 'reads',
  topic: 'output',
  args: { member: member('<member>', 'Email, user name, membership id or user id') },
  options: INCLUDE,
  examples: [
    'orgctl members show olive.owner@example.com',
    'orgctl members show olive-owner --fields email,teams.name -o json',
  ],
  columns: MEMBERSHIP_COLUMNS,
  printsOne: true,
  async run(context, { member: reference, include }) {
    const { identity, screen, services } = context;
    const included = toInclude(include, screen.requested.fields);
    const { memberships } = await services.current();
    const directories = await openDirectories(context);
    const id =
      reference.kind === 'membership'
        ? reference.id
        : (await findMember(directories.of(identity.organization()), reference)).id;
    await (await screen.output()).one(MEMBERSHIP_COLUMNS, await memberships.show(id, included));
  },
});
