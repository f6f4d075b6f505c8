import type { Client } from '../../api/client.ts';
import { listRelated } from '../../api/flatten.ts';
import { catchNotFound, isRefused } from '../../api/not-found.ts';
import { showTeam } from '../../api/teams.ts';
import type { Batch } from '../../cli/batch.ts';
import { UsageError } from '../../lib/errors.ts';
import { createOrgRecord, type JsonObject } from '../../lib/json.ts';
import { isSameName } from '../../lib/text.ts';
import { parseTeam, type Team, type Teams } from '../../members/teams.ts';
import { TEAM_RESULT_COLUMNS } from './columns.ts';

export interface NamedTeam {
  org: string;
  text: string;
  /** Undefined if the organization has no such team. */
  team: Team | undefined;
  /** Undefined if the team can't be read. */
  attributes: JsonObject | undefined;
}

/**
 * Reads each team alone too, since lists may show less of it (facts). Throws UsageError for a name of several teams and, with
 * `isRequired`, for an unknown team.
 */
export async function readNamedTeams(client: Client, { org, find, get }: Teams, texts: string[], isRequired = false) {
  const found = new Map<string, NamedTeam>();
  for (const text of texts) {
    const named = { org, text, team: isRequired ? get(text) : find(text), attributes: undefined };
    const key = named.team?.id ?? formatTeamName(named).toLowerCase();
    if (!found.has(key)) found.set(key, named);
  }
  return Promise.all([...found.values()].map((named) => readAlone(client, named)));
}

async function readAlone(client: Client, named: NamedTeam): Promise<NamedTeam> {
  const { org, team } = named;
  if (!team) return named;
  const shown = await catchNotFound(showTeam(client, org, team), isRefused);
  const owner = listRelated(shown?.relationships?.organization)[0]?.id ?? org;
  if (typeof shown?.attributes?.name !== 'string' || !isSameName(owner, org)) return named;
  return { ...named, team: parseTeam(shown), attributes: shown.attributes };
}

type ReadTeam = NamedTeam & { team: Team; attributes: JsonObject };

/** Throws UsageError for owners, and for a team that can't be read. `action`: `deleted`. */
export function assertChangeable(named: NamedTeam, action: string): asserts named is ReadTeam {
  const { org, text, team, attributes } = named;
  if (team && attributes && !team.isOwners) return;
  const reason = team?.isOwners ? 'every organization needs it' : "it can't be read";
  throw new UsageError(`${team?.name ?? text} of ${org} can't be ${action}: ${reason}`, { code: 'protected' });
}

export function formatTeamName({ team, text }: NamedTeam): string {
  return team?.name ?? text.trim();
}

/** What the batches of teams share. */
export const TEAM_BATCH: Pick<Batch<NamedTeam>, 'columns' | 'things' | 'name' | 'row'> = {
  columns: TEAM_RESULT_COLUMNS,
  things: ['team', 'teams'],
  name: formatTeamName,
  row: (named) => ({
    id: named.team?.id ?? null,
    type: 'teams',
    name: formatTeamName(named),
    organization: createOrgRecord(named.org),
  }),
};
