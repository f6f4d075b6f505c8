import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { findMember } from '../../people/find-members.ts';
import { type MemberReference, parseMemberReference } from '../../people/reference.ts';
import type { Include } from '../../service/include.ts';
import { addExamples } from '../options.ts';
import { MEMBERSHIP_COLUMNS } from './columns.ts';
import { addIncludeOption, type IncludeFlags, toInclude } from './options.ts';

export function registerShow(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('show')
    .alias('get')
    .description('show one membership')
    .argument('<member>', 'membership id, user id, email or user name');
  addExamples(addIncludeOption(verb), {
    'orgctl members show olive.owner@example.com --org acme --fields email,teams.name':
      'one person, and their teams by name',
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
