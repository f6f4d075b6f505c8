import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { findMember } from '../../people/find-members.ts';
import { type MemberReference, parseMemberReference } from '../../people/reference.ts';
import type { Include } from '../../service/include.ts';
import { addIncludeOption, type IncludeFlags, toInclude } from '../include.ts';
import { MEMBERSHIP_COLUMNS } from './columns.ts';

export function registerShow(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('show')
    .alias('get')
    .description('Show one member or invitation')
    .argument('<member>', 'Email, user name, membership id or user id');
  addDocumentation(addIncludeOption(verb), {
    examples: [
      'orgctl members show olive.owner@example.com',
      'orgctl members show olive-owner --fields email,teams.name -o json',
    ],
    columns: MEMBERSHIP_COLUMNS,
  }).action(async (member: string, flags: IncludeFlags) => {
    const context = open(verb);
    await showMember(context, parseMemberReference(member), toInclude(flags, context.screen.requested.fields));
  });
}

async function showMember(context: Context, reference: MemberReference, include: Include): Promise<void> {
  const { memberships } = await context.services.current();
  const id =
    reference.kind === 'membership'
      ? reference.id
      : (await findMember(memberships, context.identity.organization(), reference)).id;
  await (await context.screen.output()).one(MEMBERSHIP_COLUMNS, await memberships.show(id, include));
}
