import { UsageError } from '../lib/errors.ts';
import { isSameName } from '../lib/text.ts';
import { listKeys, type MemberQuery, parseMemberQuery } from '../members/member-query.ts';
import type { PersonRow } from '../members/people-file.ts';
import { mapPeople } from '../members/problems.ts';
import { completeMembers } from './completers.ts';
import { readInput } from './input.ts';
import { argument, option } from './options.ts';
import type { Session } from './session.ts';

/** A person whom a command acts on. Only rows of files have teams and an organization. */
export interface Target {
  query: MemberQuery;
  teams?: string[];
  org?: string;
}

/** Finds the people whom a command acts on in an organization. */
export type FindTargets = (org: string) => Target[];

export const MEMBER_ARGUMENTS = [
  argument('[members...]', 'email, user name, ou-… or user-…; email:, name: and id: decide', {
    complete: completeMembers,
  }),
] as const;
export const FILE_OPTION = option('--file <path>', 'CSV with a header, one email a line, or JSON; - is stdin');

interface TargetRules {
  /** Only emails are allowed, for invitations. */
  needsEmail?: boolean;
  /** With several organizations, every row must name its organization. */
  needsOrg?: boolean;
}

/** Reads the people from the arguments or from `--file`. Throws UsageError that names every wrong row. */
export async function readTargets(
  session: Session,
  named: string[],
  path: string | undefined,
  { needsEmail = false, needsOrg = false }: TargetRules = {},
): Promise<FindTargets> {
  if (named.length > 0 === (path !== undefined)) {
    throw new UsageError(`give ${needsEmail ? 'emails' : 'members'}, or --file`);
  }
  if (path === undefined) {
    const parse = (text: string): Target => ({ query: parseMemberQuery(needsEmail ? `email:${text}` : text) });
    const targets = mergeTargets(mapPeople(named, parse));
    return () => targets;
  }
  const { name, text } = await readInput(session, path);
  const orgs = await session.orgs();
  const check = ({ org }: PersonRow): void => assertOrg(org, orgs, needsOrg);
  const { parsePeopleFile } = await import('../members/people-file.ts');
  const { rows, unknown } = parsePeopleFile(text, name, { needsEmail, check });
  if (unknown.length > 0) session.messages.note(`${name}: not used: ${unknown.join(', ')}`);
  return (org) => mergeTargets(rows.filter((row) => isSameName(row.org ?? org, org)));
}

/** Throws UsageError. */
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
  for (const { query, teams, org } of targets) {
    const key = listKeys(query).join(' ');
    const before = people.get(key)?.teams ?? [];
    people.set(key, { query, org, teams: teams ? [...new Set([...before, ...teams])] : before });
  }
  return [...people.values()];
}
