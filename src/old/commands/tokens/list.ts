import type { Context } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { groupBy } from '../../groups.ts';
import { foldName } from '../../names.ts';
import { readTogether } from '../../organizations/read-together.ts';
import { createDirectories, findInTeams } from '../../people/directory.ts';
import { describeWithout, refuseTeamIds } from '../../people/teams.ts';
import { type Page, toPage } from '../../service/page.ts';
import { joinWhole, toPageReading } from '../../service/pages.ts';
import { toTokenPolicy } from '../../service/token-policy.ts';
import { describeReaders, type TokenTeam } from '../../service/tokens.ts';
import { countAny, countThings, formatCount } from '../../text/count.ts';
import { joinNames } from '../../text/join.ts';
import { capitalize } from '../../text/sentence.ts';
import { shortenList } from '../../text/shorten.ts';
import type { TokenKind } from '../../tokens/find-token.ts';
import { listHidden, type NotFound, toUnknownExpiry } from '../../tokens/not-found.ts';
import {
  addCounts,
  type JudgedToken,
  type ListedToken,
  NO_TOKENS,
  type OrganizationTokens,
  readTokens,
  TOKEN_KINDS,
  type TokenCounts,
} from '../../tokens/read-tokens.ts';
import { isAuditRouteKnown } from '../../tokens/token-state.ts';
import { DAY } from '../../when.ts';
import type { Resource } from '../../wire/json-api.ts';
import { ORGANIZATIONS } from '../organizations.ts';
import { names, type Values } from '../param.ts';
import { openDirectories, team } from '../people.ts';
import { type Within, within } from '../token-options.ts';
import { verb } from '../verb.ts';
import { TOKEN_COLUMNS, TOKEN_COLUMNS_OF_ONE } from './columns.ts';

/** Where no time is given, what ends within this is said to end soon. */
const SOON: Within = { text: '30d', time: 30 * DAY };

const OPTIONS = {
  kinds: names('--kind <kinds>', `Only these, separated by commas: ${TOKEN_KINDS.join(', ')}`, {
    complete: TOKEN_KINDS,
  }),
  team: team('--team <team>', 'Only the tokens of this team, by name or id'),
  expiresWithin: within('--expires-within <duration>', 'Only tokens that expire within this time, such as 30d'),
  unusedFor: within(
    '--unused-for <duration>',
    'Only tokens that were not used for this long; if never, since their creation',
  ),
  failWithin: within('--fail-if-expires-within <duration>', 'Exit 13 if a token expires within this time, such as 30d'),
};

export const list = verb({
  name: 'tokens list',
  aliases: ['ls'],
  help: 'List the tokens of an organization and its teams, soonest expiry first',
  summary: 'List tokens, soonest expiry first',
  effect: 'reads',
  options: { ...OPTIONS, ...ORGANIZATIONS },
  examples: [
    'orgctl tokens list',
    'orgctl tokens list --all-orgs --expires-within 60d',
    'orgctl tokens list --team platform --unused-for 90d -o csv',
    'orgctl tokens list --all-orgs --fail-if-expires-within 30d -q',
  ],
  more: '\nNot shown: tokens of people, agents, metrics and SCIM.',
  columns: TOKEN_COLUMNS,
  run: listTokens,
});

/** An organization and a kind of which none was found. */
interface Unseen extends NotFound {
  readonly organization: string;
  readonly kind: TokenKind;
}

async function listTokens(context: Context, given: Values<typeof OPTIONS>): Promise<void> {
  const { organizations, screen, services } = context;
  const { unusedFor, expiresWithin, failWithin } = given;
  const kinds = toKinds(given.kinds, given.team);
  (await screen.output()).checkFields(TOKEN_COLUMNS);
  const teams = given.team === undefined ? undefined : await findTeams(context, given.team);
  const chosen = teams === undefined ? await organizations.names() : [...teams.keys()];
  const service = await services.current();
  const now = context.places.host.now();
  const isFiltered = expiresWithin !== undefined || unusedFor !== undefined;
  const soon = expiresWithin ?? failWithin ?? SOON;
  let counts = NO_TOKENS;
  let idle = 0;
  const notFound: Unseen[] = [];
  const shownKinds = new Set<TokenKind>();
  const read = async (organization: string): Promise<OrganizationTokens> => {
    // Each organization has a directory of its own, so that none is kept longer than it is read.
    const directory = createDirectories(service, organizations, screen.note).of(organization);
    const found = await readTokens(directory, {
      kinds,
      isAuditRouteKnown: () => isAuditRouteKnown(context.of(organization)),
      team: await teams?.get(organization)?.(),
      now,
      within: soon.time,
      isWanted(token) {
        const isIdle = isUnused(token, unusedFor, now);
        if (isIdle) idle += 1;
        return isIdle && isEnding(token, expiresWithin, now);
      },
      isLate: (token) => failWithin !== undefined && isLate(token, failWithin, now),
    });
    if (found.refusal !== undefined) {
      if (organizations.isOne) throw found.refusal;
      // What is not in the service's own form says nothing of the tokens, nor does what is said of an organization out of reach.
      const reach = await organizations.reach();
      if (found.refusal.errors.length === 0 || reach?.has(foldName(organization)) === false) throw found.refusal;
    }
    counts = addCounts(counts, found.counts);
    notFound.push(...found.unseen.map((one) => ({ organization, ...one })));
    for (const kind of found.shownKinds) shownKinds.add(kind);
    return found;
  };
  const { reading, failures } = readTogether({
    organizations: chosen,
    read: (organization) =>
      toPageReading(async () => {
        const { rows, teams: included } = await read(organization);
        // Of what can't be read no filter says that it is one of those.
        return toTokenPage(isFiltered ? rows.filter(({ id }) => id !== null) : rows, included);
      }),
  });
  const sorted = joinWhole(reading, (pages) =>
    toTokenPage(
      pages.flatMap(({ items }) => items),
      pages.flatMap(({ included }) => included),
    ),
  );
  await screen.list(organizations.isOne ? TOKEN_COLUMNS_OF_ONE : TOKEN_COLUMNS, sorted);
  const unseen = listHidden(notFound, ({ kind }) => shownKinds.has(kind));
  const refused = unseen.find(({ maySee }) => !maySee);
  const who = refused === undefined ? '' : ` ${describeReaders(refused.kind)}`;
  const noted = unusedFor === undefined ? [] : [describeIdle(idle, unusedFor)];
  const isEmpty = counts.all === 0 && unseen.length === 0;
  if (!isEmpty) screen.note(`${describeCounts(counts, soon, unseen.length, noted)}${who}`);
  // Where a watch asks, they are the error.
  if (isFiltered && failWithin === undefined) {
    for (const [kind, ones] of groupBy(unseen, (one) => one.kind)) {
      const where = shortenList(ones.map(({ organization }) => organization)).join(', ');
      screen.note(`${capitalize(UNSEEN[kind])}: ${where}.`);
    }
  }
  failures.refuse();
  if (failWithin === undefined) return;
  refuseUnknown(unseen, counts);
  refuseLate(counts, failWithin);
}

/** Throws UsageError for what is no kind. */
function toKinds(given: readonly string[] | undefined, team: string | undefined): readonly TokenKind[] {
  const unknown = given?.find((name) => !TOKEN_KINDS.some((kind) => kind === name));
  if (unknown !== undefined) {
    throw new UsageError(`--kind takes ${joinNames(TOKEN_KINDS)}, not '${unknown}'`, {
      hint: 'Tokens of people, agents, metrics and SCIM are not shown.',
    });
  }
  if (team === undefined) return TOKEN_KINDS.filter((kind) => given?.includes(kind) ?? true);
  if (given?.some((name) => name !== 'team') === true) {
    throw new UsageError('--team shows tokens of a team alone', { hint: 'Leave out --kind, or --team.' });
  }
  return ['team'];
}

/** By organization: the team, or what throws why it can't be read. Throws UsageError where none of them has it. */
async function findTeams(context: Context, asked: string): Promise<ReadonlyMap<string, () => Promise<TokenTeam>>> {
  const { organizations, screen } = context;
  refuseTeamIds(organizations, [asked]);
  const directories = await openDirectories(context);
  const { there, without } = await findInTeams(directories, [asked], ({ findTeam }) => findTeam(asked));
  if (without.length > 0) screen.note(describeWithout([asked], without));
  return new Map(
    there.map(({ organization, value, error }) => [
      organization,
      async () => {
        if (value === undefined) throw error;
        return value;
      },
    ]),
  );
}

/** What ends first before all else. */
function toTokenPage(rows: readonly ListedToken[], teams: readonly Resource[]): Page<ListedToken> {
  const items = sortRows(rows);
  return { ...toPage(items), included: teams, document: { data: items, included: teams } };
}

/** What ends first before all else, then what never ends, then what is not known. */
function sortRows(rows: readonly ListedToken[]): readonly ListedToken[] {
  const toRank = ({ attributes: { expires, status } }: ListedToken): number => {
    if (status === 'none-or-not-permitted' || status === 'not-permitted') return Number.POSITIVE_INFINITY;
    if (status === 'unknown') return Number.MAX_VALUE;
    return typeof expires === 'string' ? Date.parse(expires) : status === 'expired' ? 0 : Number.MAX_SAFE_INTEGER;
  };
  return rows
    .map((row) => ({ row, rank: toRank(row) }))
    .sort((one, other) => (one.rank === other.rank ? 0 : one.rank - other.rank))
    .map(({ row }) => row);
}

function toEnd({ facts: { expires, status } }: JudgedToken): number {
  if (status === 'expired') return 0;
  return typeof expires === 'string' ? Date.parse(expires) : Number.POSITIVE_INFINITY;
}

function isEnding(token: JudgedToken, within: Within | undefined, now: number): boolean {
  return within === undefined || token.facts.status === 'unknown' || toEnd(token) <= now + within.time;
}

/** Others are left out that ended already: a token with a description stands beside the one that took its place. */
function isLate(judged: JudgedToken, within: Within, now: number): boolean {
  const { facts, token } = judged;
  const isReplaced = facts.status === 'expired' && typeof token.attributes?.description === 'string';
  return !isReplaced && toEnd(judged) <= now + within.time;
}

function isUnused({ token: { attributes = {} } }: JudgedToken, within: Within | undefined, now: number): boolean {
  if (within === undefined) return true;
  const last = attributes['last-used-at'] ?? attributes['created-at'];
  const at = typeof last === 'string' ? Date.parse(last) : Number.NaN;
  return Number.isNaN(at) || at <= now - within.time;
}

/** `3 of 9 tokens expire within 60 days, 1 was never used; 1 can't be read.` */
function describeCounts(
  { all, expiring, expired, unused, unknown }: TokenCounts,
  { time }: Within,
  unseen: number,
  more: readonly string[],
): string {
  const { words } = toTokenPolicy(time);
  const hidden = unseen + unknown;
  const verb = expiring === 1 || all === 1 ? 'expires' : 'expire';
  const parts = [
    all === 0
      ? 'No tokens'
      : `${formatCount(expiring)} of ${countThings(all, 'token', 'tokens')} ${verb} within ${words}`,
    ...countAny(expired, `${expired === 1 ? 'has' : 'have'} expired`),
    ...countAny(unused, `${unused === 1 ? 'was' : 'were'} never used`),
    ...(all === 0 ? [] : more),
  ];
  return `${parts.join(', ')}${hidden === 0 ? '' : `; ${formatCount(hidden)} can't be read`}.`;
}

/** `2 were not used for 90 days` */
function describeIdle(count: number, { time }: Within): string {
  return `${formatCount(count)} ${count === 1 ? 'was' : 'were'} not used for ${toTokenPolicy(time).words}`;
}

/** Throws where some may be there that are not seen. */
function refuseUnknown(unseen: readonly Unseen[], { unknown }: TokenCounts): void {
  if (unseen.length === 0 && unknown === 0) return;
  const lines = unseen.map(({ organization, kind }) => `${organization}: ${UNSEEN[kind]}`);
  throw toUnknownExpiry('unknown when some tokens expire', unseen, {
    reasons: [
      ...lines,
      ...(unknown === 0 ? [] : [`The service doesn't say of ${countThings(unknown, 'token', 'tokens')}.`]),
    ],
    otherwise: 'name what you can see with --kind and --orgs',
  });
}

const UNSEEN: Readonly<Record<TokenKind, string>> = {
  'audit-trail': 'no audit trail token, or none that you can see',
  organization: 'no organization token, or none that you can see',
  team: "there may be tokens of teams that you can't see",
};

function refuseLate({ all, late }: TokenCounts, { time }: Within): void {
  if (late === 0) return;
  const { words } = toTokenPolicy(time);
  const verb = late === 1 ? 'expires' : 'expire';
  throw new OrgctlError(
    'attention',
    `${formatCount(late)} of ${countThings(all, 'token', 'tokens')} ${verb} within ${words}`,
    {
      code: 'expiring',
      hint: 'Replace them in time.',
    },
  );
}
