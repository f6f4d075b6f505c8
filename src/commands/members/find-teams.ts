import { ServiceError, UsageError } from '../../errors.ts';
import type { Teams } from '../../service/teams.ts';
import type { Resource } from '../../wire/json-api.ts';

/** A team as it was asked for, and its id. */
export interface FoundTeam {
  readonly asked: string;
  readonly id: string;
}

/**
 * The teams meant by ids or names, each once. A name counts exactly, else without case when that leaves one. Ids need
 * no request.
 * Throws UsageError for a name that is unknown or could mean several.
 */
export async function findTeams(
  teams: Teams,
  organization: string,
  asked: readonly string[],
): Promise<readonly FoundTeam[]> {
  const wanted = asked.map(parseTeam);
  const known = wanted.every((team) => team.id !== undefined) ? [] : await listTeams(teams, organization);
  const found = new Map<string, FoundTeam>();
  for (const { asked: text, id: given, name = '' } of wanted) {
    const id = given ?? chooseTeam(known, name, organization).id;
    if (!found.has(id)) found.set(id, { asked: text, id });
  }
  return [...found.values()];
}

function parseTeam(text: string): { readonly asked: string; readonly id?: string; readonly name?: string } {
  const [, prefix, rest = text] = /^(id|name):(.*)$/s.exec(text) ?? [];
  const value = rest.trim();
  const isId = /^team-[A-Za-z0-9]+$/.test(value);
  if (value === '' || (prefix === 'id' && !isId)) {
    throw new UsageError(`'${text}' names no team`, { hint: 'Give a team id (team-…) or a team name.' });
  }
  return isId && prefix !== 'name' ? { asked: text, id: value } : { asked: text, name: value };
}

async function listTeams(teams: Teams, organization: string): Promise<readonly Resource[]> {
  try {
    const pages = await teams.list(organization, {}).collect();
    return pages.flatMap((page) => page.items as readonly Resource[]);
  } catch (error) {
    if (!(error instanceof ServiceError && error.status === 404)) throw error;
    throw new UsageError(`the teams of ${organization} cannot be looked up, so names cannot be used for them`, {
      reasons: [
        'the organization does not exist, this token may not see its teams, or this service does not list teams',
      ],
      hint: 'Give team ids (team-…).',
      cause: error,
    });
  }
}

function chooseTeam(known: readonly Resource[], name: string, organization: string): Resource {
  const exact = known.filter((team) => teamName(team) === name);
  const matches =
    exact.length > 0 ? exact : known.filter((team) => teamName(team).toLowerCase() === name.toLowerCase());
  const [only] = matches;
  if (only === undefined) {
    throw new UsageError(`${organization} has no team '${name}'`, {
      reasons: [known.length === 0 ? 'this token sees no teams there' : `known: ${known.map(teamName).join(', ')}`],
      hint: `See them all with: orgctl teams list --org ${organization}`,
    });
  }
  if (matches.length > 1) {
    throw new UsageError(`'${name}' could mean ${matches.length} teams of ${organization}`, {
      reasons: matches.map((team) => `${teamName(team)} (${team.id})`),
      hint: 'Name one by its id (team-…).',
    });
  }
  return only;
}

function teamName(team: Resource): string {
  return String(team.attributes?.['name'] ?? '');
}
