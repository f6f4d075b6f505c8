import { readEachOrg } from '../../cli/each-org.ts';
import { type OptionValues, option } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { UsageError } from '../../lib/errors.ts';
import { readInput } from '../../lib/input.ts';
import { assertNoProblems } from '../../lib/problems.ts';
import { isSameName, listSome } from '../../lib/text.ts';
import { describeMember, formatMember, formatTeams } from '../../members/member.ts';
import { readIsCaller } from '../../members/owners.ts';
import { type RosterPlan, readPlan, type Step } from '../../members/plan.ts';

export const ROSTER_OPTIONS = [
  option('--file <path>', 'the roster: YAML, JSON or CSV; - is stdin'),
  option('--prune', 'remove people who are not in the roster (never you)'),
  option('--prune-teams', 'remove people from teams that their row does not name (never from owners)'),
  option('--allow-owners', 'with --prune: remove owners too (never the last one)'),
  option('--include-managed', 'also change service accounts, and people and teams that SSO or SCIM manages'),
] as const;

/**
 * Returns a session with the organizations of the roster, if the command line names none. Throws UsageError that names every
 * wrong row.
 */
export async function readPlans(initial: Session, options: OptionValues<typeof ROSTER_OPTIONS>) {
  const { file } = options;
  if (file === undefined) throw new UsageError('name the roster with --file');
  const { parseRoster } = await import('../../members/roster.ts');
  const { name, text } = await readInput(initial, file);
  const roster = parseRoster(text, name);
  if (roster.unknown.length > 0) initial.messages.note(`${name}: not used: ${roster.unknown.join(', ')}`);
  const wrong = roster.problems;
  if (roster.rows.length === 0) assertNoProblems(wrong, name);
  const session = await selectOrgs(initial, roster.orgs, name);
  const rules = { ...options, isCaller: await readIsCaller(session.client) };
  const { values, failures } = await readEachOrg(session, async (org) => {
    const rows = roster.rows.filter((row) => isSameName(row.org ?? org, org));
    return readPlan(session.client, org, rows, rules, wrong);
  }).finally(() => assertNoProblems(wrong, name));
  for (const text of values.flatMap(({ warnings }) => warnings)) session.messages.warn(text);
  return { session, name, plans: values, failures };
}

async function selectOrgs(session: Session, orgs: string[], file: string): Promise<Session> {
  const isNamed = session.hasSeveralOrgs || session.settings.org.value !== undefined;
  if (orgs.length > 0 && !isNamed) return { ...session, ...session.nameOrgs(orgs) };
  const names = await session.orgs();
  const other = orgs.find((org) => !names.some((name) => isSameName(name, org)));
  if (other === undefined) return session;
  throw new UsageError(`${file} names ${other}, but this command acts on ${names.slice(0, 5).join(', ')}`, {
    hint: `Add --org ${orgs.join(',')}, or use another file.`,
  });
}

const TO_DO = { invite: 'invite', remove: 'remove', change: 'change', add: 'add to', take: 'remove from' };
const DONE = { invite: 'Invited', remove: 'Removed', change: 'Changed', add: 'added to', take: 'removed from' };

/** `invite ana@example.com to acme (platform)`, or `Invited …` if done. */
export function formatStep(step: Step, needsOrg: boolean, isDone = false): string {
  const { invite, remove, change, add, take } = isDone ? DONE : TO_DO;
  const where = (word: string): string => (needsOrg ? ` ${word} ${step.org}` : '');
  if (step.action === 'invite') return `${invite} ${step.email}${where('to')} (${formatTeams(step.teams)})`;
  const name = formatMember(step.member);
  if (step.action === 'remove') return `${remove} ${isDone ? name : describeMember(step.member)}${where('from')}`;
  const added = step.add.length > 0 && `${add} ${formatTeams(step.add)}`;
  const taken = step.remove.length > 0 && `${take} ${formatTeams(step.remove)}`;
  return `${change} ${name}${where('in')}: ${[added, taken].filter(Boolean).join('; ')}`;
}

/** Prints who and what differs from the roster and is not changed. */
export function printKept({ messages, hasSeveralOrgs }: Session, plans: RosterPlan[]): void {
  const print = (text: string): void => messages.sentence({ sign: '=', text });
  for (const { org, kept, skipped } of plans) {
    const where = hasSeveralOrgs ? ` in ${org}` : '';
    for (const why of new Set(kept.map((one) => one.why))) {
      const names = kept.filter((one) => one.why === why).map(({ member }) => formatMember(member));
      const hint = why === 'not in the roster' ? ' (--prune removes)' : '';
      print(`${listSome(names)} ${names.length === 1 ? 'is' : 'are'} ${why}, kept${where}${hint}`);
    }
    for (const text of skipped) print(`${text} is managed elsewhere, skipped${where} (--include-managed changes it)`);
  }
}
