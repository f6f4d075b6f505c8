import type { Client } from '../../api/client.ts';
import { findTeams } from '../../api/teams.ts';
import type { TokenKind } from '../../api/tokens.ts';
import { defineVerb } from '../../cli/command.ts';
import { completeTeams } from '../../cli/completers.ts';
import { listEachOrg } from '../../cli/each-org.ts';
import { COUNT_OPTION, collectList, option } from '../../cli/options.ts';
import { UsageError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { joinNames } from '../../lib/text.ts';
import { addDuration, parseInstant } from '../../lib/time.ts';
import { createTeams, parseTeam } from '../../members/teams.ts';
import { TOKEN_COLUMNS } from '../../tokens/columns.ts';
import { assertNoneExpires, EXPIRING_WITHIN, isExpiringBy } from '../../tokens/expiry.ts';
import { readTokens, TOKEN_KINDS } from '../../tokens/read-tokens.ts';

const HIDDEN =
  "not-permitted: there is none, or you can't see it. Owners, the owners team token and the organization token can.";

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: TOKEN_COLUMNS,
  options: [
    option('--kind <kinds>', `only these, separated by commas: ${TOKEN_KINDS.join(', ')}`, {
      parse: collectList,
      complete: () => TOKEN_KINDS,
    }),
    option('--team <team>', 'only tokens of this team', { complete: completeTeams }),
    option('--expires-within <duration>', 'tokens that expire within this time, such as 60d'),
    option('--unused-for <duration>', 'tokens not used for this long, or never used and this old'),
    option('--fail-if-expires-within <duration>', 'exit 13 if a token expires within this time'),
    COUNT_OPTION,
  ],
  examples: [
    'tokens list --expires-within 60d',
    'tokens list --team platform --unused-for 90d',
    'tokens list --all-orgs --fail-if-expires-within 30d',
  ],
  async run(session, options) {
    const { client, runtime, messages } = session;
    const { team, expiresWithin, unusedFor, failIfExpiresWithin: failWithin } = options;
    const now = runtime.now();
    const kinds = chooseKinds(options);
    const expiresBy = expiresWithin === undefined ? undefined : addDuration(now, expiresWithin, 1, '--expires-within');
    const idleSince = unusedFor === undefined ? undefined : addDuration(now, unusedFor, -1, '--unused-for');
    const failBy = failWithin === undefined ? now : addDuration(now, failWithin, 1, '--fail-if-expires-within');
    const soon = expiresBy ?? (failWithin === undefined ? now + EXPIRING_WITHIN : failBy);
    const all: JsonObject[] = [];
    async function* read(org: string): AsyncGenerator<JsonObject[]> {
      const only = team === undefined ? undefined : await findTeam(client, org, team);
      const rows = await readTokens(client, org, { kinds, team: only, now, soon });
      all.push(...rows);
      yield rows.filter((row) => mayExpireBy(row, expiresBy) && isIdle(row, idleSince));
    }
    await listEachOrg(session, TOKEN_COLUMNS, read);
    if (all.some(({ id }) => id === null)) messages.note(HIDDEN);
    if (failWithin !== undefined) assertNoneExpires(all, failBy, failWithin);
  },
});

function chooseKinds({ kind, team }: { kind?: string[]; team?: string }): TokenKind[] {
  const unknown = kind?.find((name) => !TOKEN_KINDS.some((known) => known === name));
  if (unknown !== undefined) throw new UsageError(`--kind takes ${joinNames(TOKEN_KINDS)}, not '${unknown}'`);
  if (team === undefined) return TOKEN_KINDS.filter((name) => kind?.includes(name) ?? true);
  if (kind?.some((name) => name !== 'team')) throw new UsageError('--team works only with --kind team');
  return ['team'];
}

async function findTeam(client: Client, org: string, text: string) {
  const listed = await findTeams(client, org);
  const { id, name } = createTeams(org, listed?.map(parseTeam)).get(text);
  return { id, name, attributes: listed?.find((one) => one.id === id)?.attributes };
}

/** A token whose expiry is unknown may expire in time. */
function mayExpireBy(row: JsonObject, instant: number | undefined): boolean {
  return instant === undefined || row.expires === undefined || isExpiringBy(row, instant);
}

function isIdle(row: JsonObject, since: number | undefined): boolean {
  const used = parseInstant(String(row['last-used-at'] ?? row['created-at']));
  return since === undefined || used === undefined || used <= since;
}
