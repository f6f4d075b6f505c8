import { UsageError } from '../lib/errors.ts';
import { type InputContext, readInput } from '../lib/input.ts';
import { assertNoProblems, mapAll, tryAll } from '../lib/problems.ts';
import { isSameName } from '../lib/text.ts';
import type { Messages } from '../output/messages.ts';
import { listKeys, type MemberQuery, parseMemberQuery } from './member-query.ts';
import type { PersonRow } from './people-file.ts';

/** A person whom a command acts on. Only rows of files have teams and an organization. */
export interface Target extends Partial<PersonRow> {
  query: MemberQuery;
  file?: string;
}

interface TargetRules {
  needsEmail?: boolean;
  /** Every row must name its organization if there are several. */
  needsOrg?: boolean;
  /** Gets what is wrong with some rows, so that they can be named with those that are found later. */
  wrong?: UsageError[];
}

interface TargetContext extends InputContext {
  messages: Pick<Messages, 'note'>;
  orgs(): Promise<string[]>;
}

/** Reads the people from the arguments or from `--file`, for each organization. Throws UsageError that names every wrong row. */
export async function readTargets(
  context: TargetContext,
  named: string[],
  path: string | undefined,
  { needsEmail = false, needsOrg = false, wrong }: TargetRules = {},
): Promise<(org: string) => Target[]> {
  if (named.length > 0 === (path !== undefined)) {
    throw new UsageError(`give ${needsEmail ? 'emails' : 'members'}, or --file`);
  }
  if (path === undefined) {
    const parse = (text: string): Target => ({ query: parseMemberQuery(needsEmail ? `email:${text}` : text) });
    const targets = mergeTargets(mapAll(named, parse));
    return () => targets;
  }
  const { name, text } = await readInput(context, path);
  const orgs = await context.orgs();
  const { parsePeopleFile } = await import('./people-file.ts');
  const { rows, problems, unknown } = parsePeopleFile(text, name);
  if (unknown.length > 0) context.messages.note(`${name}: not used: ${unknown.join(', ')}`);
  const usable = tryAll(rows, (row) => {
    if (needsEmail && row.query.email === undefined) throw new UsageError('it has no email');
    assertOrg(row.org, orgs, needsOrg);
    return { ...row, file: name };
  });
  problems.push(...usable.problems);
  if (usable.results.length === 0 || !wrong) assertNoProblems(problems, name);
  wrong?.push(...problems);
  return (org) => mergeTargets(usable.results.filter((row) => isSameName(row.org ?? org, org)));
}

function assertOrg(org: string | undefined, orgs: string[], needsOrg: boolean): void {
  if (org === undefined) {
    if (!needsOrg || orgs.length === 1) return;
    throw new UsageError('it names no organization, and this command acts on several', {
      hint: 'Add a column organization, or name the people as arguments.',
    });
  }
  if (orgs.some((name) => isSameName(name, org))) return;
  throw new UsageError(`it names ${org}, but this command acts on ${orgs.slice(0, 5).join(', ')}`);
}

/** Joins the rows of the same person, and their teams. */
function mergeTargets(targets: Target[]): Target[] {
  const people = new Map<string, Target>();
  for (const target of targets) {
    const key = listKeys(target.query).join(' ');
    const before = people.get(key);
    const teams = [...new Set([...(before?.teams ?? []), ...(target.teams ?? [])])];
    const location = [before?.location, target.location].filter(Boolean).join(', ');
    people.set(key, { ...target, teams, location });
  }
  return [...people.values()];
}
