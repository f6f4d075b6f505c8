import type { TeamIdentity } from '../../resources/team.ts';
import { showRelative, showTimeOrNever, showWords, toCellText } from '../../stdout/cell.ts';
import type { Columns } from '../../stdout/columns.ts';
import { nameToken, type TokenName } from '../../tokens/find-token.ts';
import type { TokenFacts } from '../../tokens/read-tokens.ts';
import type { Placed, TokenRow } from '../../wire/flat.ts';
import type { Named } from '../../wire/resources.ts';
import { ORGANIZATION_FIELDS } from '../known-fields.ts';
import { ORGANIZATION } from '../organizations.ts';
import { toPlace, withSentences } from '../result-sentences.ts';
import { RESULT_FIELDS, type ResultRow } from '../row-error.ts';

type Teamed = Placed & { readonly team?: TeamIdentity | null };

export type ListedTokenRow = TokenRow & Teamed & TokenFacts;

function withoutOrganization<Row>(columns: Columns<Row>): Columns<Row> {
  const { screen = [] } = columns;
  return { ...columns, screen: screen.filter(({ head }) => head !== ORGANIZATION.head) };
}

const TOKEN = {
  head: 'TOKEN',
  field: 'kind',
  fields: ['kind', 'team.name', 'description'],
  priority: 0,
  wraps: true,
  show: showToken,
} as const;

export const TOKEN_COLUMNS: Columns<ListedTokenRow> = {
  name: 'tokens',
  empty: 'No tokens match.',
  shape: 'resource',
  shown: [
    'organization.id',
    'kind',
    'team.name',
    'description',
    'created-by',
    'created-at',
    'last-used-at',
    'expired-at',
    'expires',
    'expires-by',
    'status',
    'id',
  ],
  screen: [
    ORGANIZATION,
    TOKEN,
    { head: 'EXPIRES', field: 'expires', priority: 0, tone: true, show: showTimeOrNever('expires', showRelative) },
    { head: 'LAST USED', field: 'last-used-at', priority: 2, show: showTimeOrNever('last-used-at', showRelative) },
    { head: 'STATUS', field: 'status', priority: 0, tone: true, wraps: true, show: showStatus },
    { head: 'ID', field: 'id', priority: 'spare' },
  ],
  fields: [
    'type',
    ...ORGANIZATION_FIELDS,
    'team',
    'team.id',
    'team.type',
    'created-by.id',
    'created-by.type',
    'is-ttl-rejected',
  ],
  times: ['created-at', 'last-used-at', 'expired-at', 'expires'],
};

/** Of one organization, people need not read which. */
export const TOKEN_COLUMNS_OF_ONE = withoutOrganization(TOKEN_COLUMNS);

/** As `tokens rotate` and `delete` take it: `team:platform/ci` */
function showToken(_kind: unknown, { kind, team, description, id }: ListedTokenRow): string {
  if (kind !== 'team') return kind;
  // There is none, or none that may be seen.
  if (id === null) return 'teams';
  const name = `team:${team?.name ?? toCellText(team?.id)}`;
  return typeof description === 'string' ? `${name}/${description}` : name;
}

/** `expiring, by policy` */
function showStatus(status: unknown, record: ListedTokenRow, now: number | undefined): string {
  const words = showWords(status, record, now);
  return record['expires-by'] === 'policy' ? `${words}, by policy` : words;
}

export type TokenDeletionRow = Teamed &
  Named<'type'> &
  ResultRow<'deleted'> &
  Pick<TokenFacts, 'kind'> & {
    readonly id: string | null;
    /** Null for the one token of its place. */
    readonly description: string | null;
  };

/** What is left of tokens that were deleted: a row for each. */
export const TOKEN_DELETION_COLUMNS: Columns<TokenDeletionRow> = withSentences(
  {
    name: 'tokens',
    shape: 'resource',
    shown: ['result', 'organization.id', 'kind', 'team.name', 'description', 'id', 'error.code', 'error.message'],
    fields: ['type', 'changed', ...ORGANIZATION_FIELDS, 'team', 'team.id', 'team.type', ...RESULT_FIELDS],
  },
  { deleted: (record) => ({ sign: '✓', text: `Deleted ${nameToken(toPlace(record), toNamed(record))}` }) },
);

function toNamed({ kind, team, description }: TokenDeletionRow): TokenName {
  const known = team === undefined || team === null ? {} : { team: { id: team.id, name: team.name ?? team.id } };
  return { kind, description, ...known };
}
