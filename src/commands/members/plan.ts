import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { listTeams } from '../../people/find-teams.ts';
import { isDifference, isDoable, toPlanRecord } from '../../roster/plan.ts';
import {
  planRoster,
  type RosterInput,
  type RosterPlan,
  readMembers,
  refuseHiddenEmails,
} from '../../roster/plan-roster.ts';
import { describeDifference, describeRest, toPlanLines } from '../../roster/plan-text.ts';
import { toPlainJson } from '../../text/plain-text.ts';
import { addExamples } from '../options.ts';
import { PLAN_COLUMNS } from './columns.ts';
import { addRosterOptions, type RosterFlags, toRosterInput, toRosterReader } from './options.ts';

interface Flags extends RosterFlags {
  readonly init?: boolean;
  readonly schema?: boolean;
}

export function registerPlan(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('plan')
    .description(
      'show what is between an organization and a roster; nothing is sent, and exit 13 says there is something',
    );
  const withRoster = addRosterOptions(verb)
    .option('--init', 'instead print a roster of who is there now: YAML, or JSON with -o json')
    .option('--schema', 'instead print the JSON Schema of a roster, for editors');
  addExamples(withRoster, {
    'orgctl members plan --init --org acme > roster.yaml && orgctl members plan --file roster.yaml --org acme':
      'write down who is there, and compare: until one of them changes there is no difference',
    'orgctl members plan --schema': 'for an editor that completes and checks rosters',
  }).action(async (flags: Flags) => {
    const context = open(verb);
    const input = toPlanInput(flags);
    if (typeof input === 'object') await printPlan(context, input);
    else await (input === 'init' ? printRoster(context) : printSchema(context));
  });
}

function toPlanInput(flags: Flags): RosterInput | 'init' | 'schema' {
  const { init = false, schema = false, ...rest } = flags;
  const named = [init && '--init', schema && '--schema', ...Object.keys(rest).map((name) => `--${name}`)].filter(
    (name) => name !== false,
  );
  if ((init || schema) && named.length > 1) {
    throw new UsageError(`${named[0]} stands alone, without ${named.slice(1).join(' and ')}`, {
      hint: 'It prints something else than a plan.',
    });
  }
  return init ? 'init' : schema ? 'schema' : toRosterInput(rest);
}

async function printPlan(context: Context, input: RosterInput): Promise<void> {
  const { screen } = context;
  const output = await screen.output();
  output.checkFields(PLAN_COLUMNS);
  const made = await planRoster(toRosterReader(context), context.identity.organization(), input);
  const { plan, organization } = made;
  const summary = `${describeDifference(plan)}; ${describeRest(plan)}`;
  // A format that is named is kept.
  const { format, fields } = screen.requested;
  if (output.format.forPeople && format === undefined && fields === undefined) {
    await output.raw([...(await renderPlan(context, made)), `Plan: ${summary}`].join('\n'));
  } else {
    await screen.list(
      PLAN_COLUMNS,
      plan.steps.map((step) => toPlanRecord(step, organization)),
    );
    screen.note(`plan: ${summary}`);
  }
  refuseDifference(made, input);
}

async function renderPlan({ identity, places }: Context, { plan }: RosterPlan): Promise<readonly string[]> {
  const { createStyle } = await import('../../text/style.ts');
  const { host } = places;
  const style = createStyle(host, host.stdout, identity.settings['no-color'].value);
  return toPlanLines(plan, { style, inWords: identity.settings.accessible.value });
}

function refuseDifference(
  { plan, organization, name, isFile }: RosterPlan,
  { file, prune, allowOwners }: RosterInput,
): void {
  if (!plan.steps.some(isDifference)) return;
  const flags = [...(prune ? ['--prune'] : []), ...(allowOwners ? ['--allow-owners'] : [])];
  const isForApply = plan.steps.some(isDoable);
  throw new OrgctlError('attention', `${organization} is not as ${name} wants it: ${describeDifference(plan)}`, {
    code: 'drift',
    hint: isForApply
      ? 'Change it with members apply, which asks first.'
      : 'Add them to the teams in the service: an invitation does not change the teams of somebody who is there.',
    next: isForApply && isFile ? [['orgctl', 'members', 'apply', '--file', file, ...flags]] : [],
  });
}

async function printRoster({ identity, screen, services }: Context): Promise<void> {
  const { format, fields } = screen.requested;
  if ((format !== undefined && format.document !== 'own') || fields !== undefined) {
    throw new UsageError('a roster is printed as YAML, or with -o json as JSON, and always whole', {
      hint: 'For a spreadsheet, this makes a roster too:',
      next: [['orgctl', 'members', 'list', '--fields', 'email,teams', '-o', 'csv']],
    });
  }
  const organization = identity.organization();
  const service = await services.current();
  const members = await readMembers(service, organization, screen.progress);
  refuseHiddenEmails(members, organization);
  const teams = (await listTeams(service.teams, organization)) ?? [];
  const { renderRoster, toRosterEntries } = await import('../../roster/roster-text.ts');
  const entries = toRosterEntries(members, teams);
  const unnamed = members.length - entries.length;
  if (unnamed > 0) {
    screen.warn(`${unnamed} of ${members.length} are left out: no roster can name their addresses, or they are hidden`);
  }
  const text = renderRoster(entries, format === undefined ? 'yaml' : 'json');
  await (await screen.output()).raw(toPlainJson(text).trimEnd());
}

async function printSchema({ screen }: Context): Promise<void> {
  const { format, fields } = screen.requested;
  if ((format !== undefined && format.document !== 'own') || fields !== undefined) {
    throw new UsageError('a schema is printed as JSON, and always whole', { hint: 'Leave -o and --fields out.' });
  }
  const { ROSTER_SCHEMA } = await import('../../roster/roster-schema.ts');
  await screen.print(JSON.stringify(ROSTER_SCHEMA, undefined, 2));
}
