/** The columns of a file of people, and which of them a command uses. */

/** How a row can name a person: by email, by user name, or by the id of the membership (ou-…) or the user (user-…). */
export type PersonKey = 'id' | 'user' | 'email';

export type Column = PersonKey | 'teams' | 'organization' | 'status';

export interface PeopleRules {
  /** Whether each row names a team. */
  readonly teams: boolean;
  /** The keys that can name a person; the email alone when left out. */
  readonly keys?: readonly PersonKey[];
  /** Whether a person may stand in one row only. Otherwise several are one, with the teams of all. */
  readonly once?: boolean;
  /** Whether who is not there is invited. */
  readonly invites?: boolean;
  /** What is used beside who is meant and where; teams alone when left out. */
  readonly uses?: readonly ('teams' | 'status')[];
}

export const EMAIL_ALONE: readonly PersonKey[] = ['email'];
/** The most certain one first. */
export const ALL_KEYS: readonly PersonKey[] = ['id', 'user', 'email'];

const COLUMNS: Readonly<Record<string, Column>> = {
  id: 'id',
  user: 'user',
  username: 'user',
  'user.username': 'user',
  email: 'email',
  teams: 'teams',
  team: 'teams',
  'teams.name': 'teams',
  organization: 'organization',
  'organization.id': 'organization',
  'organization.name': 'organization',
  org: 'organization',
  status: 'status',
};

/** Undefined for a column that is not used. Of every file it is read where a row acts, and which membership it means. */
export function toColumn(name: string, { keys = EMAIL_ALONE, uses = ['teams'] }: PeopleRules): Column | undefined {
  const plain = toPlainName(name);
  const column = Object.hasOwn(COLUMNS, plain) ? COLUMNS[plain] : undefined;
  if (column === 'organization' || column === 'id') return column;
  if (column === 'teams' || column === 'status') return uses.includes(column) ? column : undefined;
  return column !== undefined && keys.includes(column) ? column : undefined;
}

/** What other programs call an email. */
const OTHER_EMAILS: readonly string[] = [
  'emailaddress',
  'mail',
  'mailaddress',
  'primaryemail',
  'useremail',
  'workemail',
];

/** The same of a whole header: what others call an email is one where no column is called so. */
export function toColumns(names: readonly string[], rules: PeopleRules): readonly (Column | undefined)[] {
  const columns = names.map((name) => toColumn(name, rules));
  if (columns.includes('email') || !isKey('email', rules)) return columns;
  return names.map((name, at) => columns[at] ?? (OTHER_EMAILS.includes(toPlainName(name)) ? 'email' : undefined));
}

/** `emailaddress` for `Email Address [Required]` */
export function toPlainName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]|\[[^[\]]*\]/g, '');
}

/** Whether it can name a person. */
export function isKey(column: Column | undefined, { keys = EMAIL_ALONE }: PeopleRules): boolean {
  return keys.some((key) => key === column);
}

/** So many of its values are named of a column. */
const MOST_VALUES = 3;
const LONGEST_VALUE = 40;

/** Collects what a file says and nothing uses. */
export function createUnused() {
  const columns = new Set<string>();
  const values = new Map<string, Set<string>>();
  return {
    column: (name: string): void => void columns.add(name),
    value(column: string, value: unknown): void {
      const known = values.get(column) ?? new Set();
      values.set(column, known);
      // One more says that there are more.
      if (known.size <= MOST_VALUES) known.add(toExcerpt(value));
    },
    /** Columns, and `status (departed)` where some of its values are not used. */
    list: (): readonly string[] => [
      ...columns,
      ...[...values].map(([column, some]) => {
        const named = [...some].slice(0, MOST_VALUES);
        return `${column} (${[...named, ...(some.size > MOST_VALUES ? ['…'] : [])].join(', ')})`;
      }),
    ],
  };
}

function toExcerpt(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : (JSON.stringify(value) ?? '');
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
