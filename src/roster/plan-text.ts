import { describeMember, listTeamNames, nameMember } from '../people/member.ts';
import type { Sentence } from '../stdout/columns.ts';
import { countAny, countThings, formatCount } from '../text/count.ts';
import { describeSteps as describe, type StepKind } from '../text/steps.ts';
import { countActions, type Kept, type Plan, type Step, type TeamStep } from './plan.ts';

/** `kept`: a plan shows them too. */
export function describeSteps(steps: readonly Step[], kept: readonly Kept[] = []): readonly Sentence[] {
  const all = [...steps, ...kept].map((step) => ({ action: toKind(step), step }));
  return describe(all, KINDS, ({ step }) => toText(step));
}

type Kind = Step['action'] | Kept['action'] | 'team-removals';

function toKind(step: Step | Kept): Kind {
  return step.action === 'teams' && step.remove.length > 0 ? 'team-removals' : step.action;
}

const KINDS: Readonly<Record<Kind, StepKind>> = {
  remove: { sign: '-', more: 'to remove', isShownWhole: true },
  invite: { sign: '+', more: 'to invite' },
  teams: { sign: '~', more: 'to add to teams' },
  'team-removals': { sign: '~', more: 'in other teams', isShownWhole: true },
  'keep-self': { sign: '=', more: 'to keep' },
  'keep-owner': { sign: '=', more: 'owners to keep' },
  'keep-managed': { sign: '=', more: 'managed elsewhere' },
  'keep-unnamed': { sign: '=', more: 'to keep' },
  extra: { sign: '=', more: 'not in the roster' },
};

function toText(step: Step | Kept): string {
  switch (step.action) {
    case 'remove':
      return `remove ${describeMember(step.member)}`;
    case 'invite':
      return `invite ${step.wanted.email} (${listTeamNames(step.teams)})`;
    case 'teams':
      return `${nameMember(step.member)}: ${describeTeamChange(step)}`;
    case 'keep-self':
      return `keep ${nameMember(step.member)}: this is you`;
    case 'keep-owner':
      return `keep ${nameMember(step.member)}: an owner`;
    case 'keep-managed':
      return `keep ${nameMember(step.member)}: managed elsewhere`;
    case 'keep-unnamed':
      return `keep ${nameMember(step.member)}: a row may mean them by an address that can't be seen`;
    case 'extra':
      return `leave ${nameMember(step.member)}: not in the roster`;
  }
}

/** `add to security; remove from audit` */
function describeTeamChange({ add, remove }: TeamStep): string {
  return [
    ...(add.length === 0 ? [] : [`add to ${listTeamNames(add)}`]),
    ...(remove.length === 0 ? [] : [`remove from ${listTeamNames(remove)}`]),
  ].join('; ');
}

/** `1 to invite, 1 to remove, 1 team change`, or `no changes`. */
export function describeDifference(plan: Plan): string {
  const counts = countActions(plan);
  const teams = counts.get('teams') ?? 0;
  const parts = [
    ...countAny(counts.get('invite'), 'to invite'),
    ...countAny(counts.get('remove'), 'to remove'),
    ...(teams === 0 ? [] : [countThings(teams, 'team change', 'team changes')]),
  ];
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}

/** What stays as it is: `5 unchanged, 2 not in the roster`. */
export function describeRest(plan: Plan): string {
  return [`${formatCount(plan.present)} unchanged`, ...describeLeft(plan)].join(', ');
}

/** How many people stay as they are though the roster says otherwise, by why. */
export function describeLeft(plan: Plan): readonly string[] {
  const counts = countActions(plan);
  const { otherTeams, keptTeams, managedTeams, uninvited } = plan.left;
  const count = (...fates: readonly Kept['action'][]): number =>
    fates.reduce((sum, fate) => sum + (counts.get(fate) ?? 0), 0);
  return [
    ...countAny(count('keep-self', 'keep-owner', 'keep-managed', 'keep-unnamed'), 'kept though not in the roster'),
    ...countAny(count('extra'), 'not in the roster'),
    ...countAny(otherTeams, 'also in other teams'),
    ...countAny(keptTeams, 'kept in other teams'),
    ...countAny(managedTeams, 'not in a team that is managed elsewhere'),
    ...countAny(uninvited, 'not invited, since their teams are managed elsewhere'),
  ];
}
