import type { Option } from 'commander';
import { UsageError } from '../lib/errors.ts';
import { readTextFile } from '../lib/files.ts';
import { readStdin } from '../lib/runtime.ts';
import { isSameName } from '../lib/text.ts';
import { listKeys, type MemberQuery, parseMemberQuery } from '../members/member-query.ts';
import type { PersonRow } from '../members/people-file.ts';
import { mapPeople } from '../members/problems.ts';
import { argument, option } from './options.ts';
import type { Session } from './session.ts';

/** A person whom a command is about. */
export interface Target {
  query: MemberQuery;
  /** From a file. */
  teams?: string[] | undefined;
  /** Of the row, if it says where it acts. */
  org?: string | undefined;
}

/** Who is meant in an organization, each once. */
export type FindTargets = (org: string) => Target[];

export const MEMBER_ARGUMENTS = [
  argument('[members...]', 'email, user name, ou-… or user-…; email:, name: and id: decide'),
];
export const FILE_OPTION: Option = option('--file <path>', 'CSV with a header, one email a line, or JSON; - is stdin');

interface Rules {
  /** Only emails, to invite them. */
  areEmails?: boolean;
  /** With several organizations every row says in which it acts. */
  namesOrg?: boolean;
}

/** The people of the arguments or of `--file`. Throws UsageError that names every wrong row. */
export async function readTargets(
  session: Session,
  named: string[],
  path: string | undefined,
  { areEmails = false, namesOrg = false }: Rules = {},
): Promise<FindTargets> {
  const what = areEmails ? 'emails' : 'members';
  if (named.length > 0 === (path !== undefined)) throw new UsageError(`give ${what}, or --file`);
  if (path === undefined) {
    const parse = (text: string): Target => ({ query: parseMemberQuery(areEmails ? `email:${text}` : text) });
    const targets = foldTargets(mapPeople(named, parse));
    return () => targets;
  }
  const name = path === '-' ? 'stdin' : path;
  const text = await readInput(session, path);
  const orgs = await session.orgs();
  const check = ({ org }: PersonRow): void => assertActsHere(org, orgs, namesOrg);
  const { parsePeopleFile } = await import('../members/people-file.ts');
  const { rows, unknown } = parsePeopleFile(text, name, { needsEmail: areEmails, check });
  if (unknown.length > 0) session.messages.note(`${name}: not used: ${unknown.join(', ')}`);
  return (org) => foldTargets(rows.filter((row) => isSameName(row.org ?? org, org)));
}

/** The text of a file that an option names; `-` is stdin. */
export async function readInput({ runtime, signals }: Session, path: string): Promise<string> {
  return path === '-' ? readStdin(runtime, signals.signal) : readTextFile(path, runtime);
}

/** Throws UsageError. */
function assertActsHere(org: string | undefined, orgs: string[], namesOrg: boolean): void {
  if (org === undefined) {
    if (!namesOrg || orgs.length === 1) return;
    throw new UsageError('it names no organization, and this command is about several');
  }
  if (orgs.some((name) => isSameName(name, org))) return;
  throw new UsageError(`it is of ${org}, and this command is about ${orgs.slice(0, 5).join(', ')}`);
}

/** Several rows of one person are one, with the teams of all. */
function foldTargets(targets: Target[]): Target[] {
  const people = new Map<string, Target>();
  for (const { query, teams, org } of targets) {
    const key = listKeys(query).join(' ');
    const before = people.get(key)?.teams ?? [];
    people.set(key, { query, org, teams: teams ? [...new Set([...before, ...teams])] : before });
  }
  return [...people.values()];
}
