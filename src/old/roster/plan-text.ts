import { describeLeaver, listTeamNames, nameMember } from '../people/member.ts';
import type { Sentence } from '../stdout/columns.ts';
import { countAny, countThings, formatCount } from '../text/count.ts';
import { describeSteps as describe, type StepKind } from '../text/steps.ts';
import { countActions, type Kept, type PlacedStep, type Plan, type Staying, type TeamStep } from './plan.ts';

type Said = PlacedStep | ((Kept | Staying) & { readonly organization: string });

/** Who is kept, or stays in a team, is for a plan alone. `isSeveral`: whether each says where it acts. */
export function describeSteps(steps: readonly Said[], isSeveral: boolean, isResult = false): readonly Sentence[] {
  const all = steps.map((step) => ({ action: toKind(step), step }));
  return describe(
    all,
    KINDS,
    ({ step }) => toText(step, (preposition) => (isSeveral ? ` ${preposition} ${step.organization}` : '')),
    isResult,
  );
}

type Kind = Said['action'] | 'team-removals';

function toKind(step: Said): Kind {
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
  stay: { sign: '=', more: 'in other teams' },
};

function toText(step: Said, where: (preposition: 'from' | 'to' | 'in') => string): string {
  switch (step.action) {
    case 'remove':
      return `remove ${describeLeaver(step.member)}${where('from')}`;
    case 'invite':
      return `invite ${step.wanted.email}${where('to')} (${listTeamNames(step.teams)})`;
    case 'teams':
      return `${nameMember(step.member)}${where('in')}: ${describeTeamChange(step)}`;
    case 'keep-self':
      return `keep ${nameMember(step.member)}${where('in')}: this is you`;
    case 'keep-owner':
      return `keep ${nameMember(step.member)}${where('in')}: an owner`;
    case 'keep-managed':
      return `keep ${nameMember(step.member)}${where('in')}: managed elsewhere`;
    case 'keep-unnamed':
      return `keep ${nameMember(step.member)}${where('in')}: a row may mean them by an address that can't be seen`;
    case 'extra':
      return `leave ${nameMember(step.member)}${where('in')}: not in the roster`;
    case 'stay': {
      const how = step.isPrunable ? ' (--prune-teams removes)' : '';
      return `leave ${nameMember(step.member)} in ${listTeamNames(step.teams)}${where('in')}: not in their row${how}`;
    }
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
export function describeDifference(plans: readonly Plan[]): string {
  const counts = countActions(plans);
  const teams = counts.get('teams') ?? 0;
  const parts = [
    ...countAny(counts.get('invite'), 'to invite'),
    ...countAny(counts.get('remove'), 'to remove'),
    ...(teams === 0 ? [] : [countThings(teams, 'team change', 'team changes')]),
  ];
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}

/** What stays as it is: `5 unchanged, 2 not in the roster`. */
export function describeRest(plans: readonly Plan[]): string {
  const present = plans.reduce((sum, plan) => sum + plan.present, 0);
  return [`${formatCount(present)} unchanged`, ...describeLeft(plans)].join(', ');
}

/** How many people stay as they are though the roster says otherwise, by why. */
export function describeLeft(plans: readonly Plan[], advice = ''): readonly string[] {
  const counts = countActions(plans);
  const sum = (what: keyof Plan['left']): number => plans.reduce((total, { left }) => total + left[what], 0);
  const count = (...fates: readonly Kept['action'][]): number =>
    fates.reduce((sum, fate) => sum + (counts.get(fate) ?? 0), 0);
  return [
    ...countAny(count('keep-self', 'keep-owner', 'keep-managed', 'keep-unnamed'), 'kept though not in the roster'),
    ...countAny(count('extra'), `not in the roster${advice}`),
    ...countAny(sum('otherTeams'), 'also in other teams'),
    ...countAny(sum('keptTeams'), 'kept in other teams'),
    ...countAny(sum('managedTeams'), 'not in a team that is managed elsewhere'),
    ...countAny(sum('uninvited'), 'not invited, since their teams are managed elsewhere'),
  ];
}
