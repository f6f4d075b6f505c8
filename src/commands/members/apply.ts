import { inviteMember } from '../../api/memberships.ts';
import { runBatch, tell } from '../../cli/batch.ts';
import { defineVerb } from '../../cli/command.ts';
import { option } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { UsageError } from '../../lib/errors.ts';
import { readInput } from '../../lib/input.ts';
import { listSome, plural } from '../../lib/text.ts';
import { parseWholeNumber } from '../../lib/time.ts';
import { APPLY_COLUMNS } from '../../members/columns.ts';
import { formatMember } from '../../members/member.ts';
import { findLeaving, findNewOwners, type Step } from '../../members/plan.ts';
import { createPlanRow, findUnshown } from '../../members/plan-rows.ts';
import { removeSafely } from '../../members/removals.ts';
import { createTeamChanges } from '../../members/team-changes.ts';
import { formatStep, printKept, ROSTER_OPTIONS, readPlans } from './roster-options.ts';

const MAX_REMOVALS = 5;

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: APPLY_COLUMNS,
  options: [
    ...ROSTER_OPTIONS,
    option('--max-removals <n>', `how many people may leave the organization or a team (default: ${MAX_REMOVALS})`, {
      parse: parseWholeNumber,
    }),
    option('--plan <path>', 'make only the changes in this plan, from members plan -o json'),
  ],
  examples: [
    'members apply --file roster.yaml --dry-run',
    'members apply --file roster.yaml --prune --plan plan.json --yes',
  ],
  async run(initial, { maxRemovals = MAX_REMOVALS, plan: planFile, ...options }) {
    const { session, plans, failures } = await readPlans(initial, options);
    const steps = plans.flatMap((plan) => plan.steps);
    const leaving = findLeaving(steps).length;
    if (leaving > maxRemovals) {
      throw new UsageError(
        `${plural(leaving, 'person', 'people')} would leave an organization or a team, and --max-removals is ${maxRemovals}`,
        { code: 'too-many-removals', hint: 'Check the plan with `orgctl members plan`.' },
      );
    }
    if (planFile !== undefined) await assertInPlan(session, steps, planFile);
    printKept(session, plans);
    if (session.output.isForPeople && steps.length + failures.length === 0) session.messages.note('No changes.');
    await confirm(session, steps);
    const removals: Promise<unknown>[] = [];
    const owners = new Map(plans.map(({ org, leavingOwners }) => [org, leavingOwners]));
    const teamSteps = steps.filter((step) => step.action === 'teams');
    const changes = createTeamChanges(session.client, teamSteps);
    await runBatch<Step>(session, steps, {
      label: 'Applying',
      columns: APPLY_COLUMNS,
      failures,
      name: formatPerson,
      row: createPlanRow,
      hasStarted: (step) => step.action === 'teams' && changes.hasStarted(step),
      async act(step) {
        if (step.action === 'teams') return changes.act(step);
        // Removals come first, and make room for invitations.
        if (step.action === 'invite') {
          await Promise.allSettled(removals);
          const created = await inviteMember(session.client, step.org, step.email, step.teams);
          return created && { result: 'invited', id: created.id };
        }
        const removal = removeSafely(session.client, step.org, step.member, owners.get(step.org) ?? []);
        removals.push(removal);
        return removal;
      },
      sentence: (step, { result }) => {
        const same = `${formatPerson(step)} ${step.action === 'remove' ? 'is not' : 'needs no change'} in ${step.org}`;
        return tell(result, { same, would: formatStep(step, true), done: formatStep(step, true, true) });
      },
    });
  },
});

function formatPerson(step: Step): string {
  return step.action === 'invite' ? step.email : formatMember(step.member);
}

async function assertInPlan(session: Session, steps: Step[], path: string): Promise<void> {
  const { name, text } = await readInput(session, path);
  const unshown = findUnshown(steps, text, name);
  if (unshown.length === 0) return;
  throw new UsageError(`${plural(unshown.length, 'step')} not in ${name}: the organization or the roster changed`, {
    code: 'not-in-plan',
    reasons: unshown.slice(0, 20).map((step) => formatStep(step, true)),
    hint: 'Make the plan again, and check it.',
  });
}

/** Asks about what takes something away, or makes an owner. */
async function confirm(session: Session, steps: Step[]): Promise<void> {
  const owners = findNewOwners(steps);
  const leaving = findLeaving(steps).filter((step) => !owners.includes(step));
  const critical = [...leaving, ...owners];
  if (critical.length === 0) return;
  const removed = leaving.filter(({ action }) => action === 'remove').length;
  const [fromTeams, others] = [leaving.length - removed, steps.length - critical.length];
  const parts = [
    removed > 0 && `remove ${plural(removed, 'person', 'people')}`,
    owners.length > 0 && `make ${plural(owners.length, 'owner')}`,
    fromTeams > 0 && `remove ${plural(fromTeams, 'person', 'people')} from teams`,
    others > 0 && plural(others, 'other change'),
  ];
  await session.confirm(
    `${listSome([...new Set(steps.map(({ org }) => org))])}: ${parts.filter(Boolean).join(', ')}. Apply?`,
    steps.filter((step) => critical.includes(step)).map((step) => formatStep(step, session.hasSeveralOrgs)),
  );
}
