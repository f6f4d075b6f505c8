import { defineVerb } from '../../cli/command.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import { assertPlain } from '../../cli/global-options.ts';
import { option } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { OrgctlError, UsageError } from '../../lib/errors.ts';
import { plural, sanitizeJson } from '../../lib/text.ts';
import { PLAN_COLUMNS } from '../../members/columns.ts';
import { readMembers } from '../../members/find-members.ts';
import type { Step } from '../../members/plan.ts';
import { createPlanRow } from '../../members/plan-rows.ts';
import { readTeams } from '../../members/teams.ts';
import { throwFailures } from '../../organizations/names.ts';
import { withOrganization } from '../../output/columns.ts';
import { formatStep, printKept, ROSTER_OPTIONS, readPlans } from './roster-options.ts';

const SIGNS = { invite: '+', remove: '-', teams: '~' } as const;

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: PLAN_COLUMNS,
  options: [
    ...ROSTER_OPTIONS,
    option('--init', 'print a roster of the current members instead: YAML, or JSON with -o json'),
  ],
  examples: ['members plan --init > roster.yaml', 'members plan --file roster.yaml --prune --prune-teams'],
  async run(initial, { init, ...options }) {
    if (init) {
      if (options.file !== undefined) throw new UsageError('use --init or --file, not both');
      assertPlain(options, 'plan --init', ['-o json']);
      return printRoster(initial);
    }
    const { session, name, plans, failures } = await readPlans(initial, options);
    const { output, messages, hasSeveralOrgs } = session;
    const steps = plans.flatMap((plan) => plan.steps);
    if (output.isForPeople) {
      const draw = (step: Step) => messages.draw({ sign: SIGNS[step.action], text: formatStep(step, hasSeveralOrgs) });
      await output.lines(steps.map(draw));
      printKept(session, plans);
      if (steps.length === 0) messages.note('No changes.');
    } else {
      const columns = hasSeveralOrgs ? withOrganization(PLAN_COLUMNS) : PLAN_COLUMNS;
      await output.list(columns, [steps.map(createPlanRow)]);
    }
    throwFailures(failures, plans.length + failures.length);
    if (steps.length === 0) return;
    throw new OrgctlError('attention', `${plural(steps.length, 'difference')} from ${name}`, {
      code: 'drift',
      hint: 'Run orgctl members apply with the same options.',
    });
  },
});

async function printRoster(session: Session): Promise<void> {
  const { output } = session;
  const { values, failures } = await readEachOrg(session, async (org) => ({
    org,
    members: await readMembers(session.client, org),
    teams: (await readTeams(session.client, org)).listed,
  }));
  const { createRoster, formatRoster } = await import('../../members/roster.ts');
  const roster = createRoster(values);
  await output.text(
    output.format === 'json' ? `${sanitizeJson(JSON.stringify(roster, null, 2))}\n` : formatRoster(roster),
  );
  throwFailures(failures, values.length + failures.length);
}
