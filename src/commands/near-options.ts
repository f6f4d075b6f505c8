import type { CommandName } from '../input/about.ts';
import { BARE_VALUES, listFields } from '../stdout/columns.ts';
import { NO_WEB_PAGE } from './near-words.ts';
import type { VerbFacts } from './verb.ts';

/** Options that people type who know other tools. */
interface Meant {
  /** Without hyphens. */
  readonly given: readonly string[];
  /** What does it here. Meant only where the command takes an option of this name. */
  readonly here?: string;
  /** What to know where no option does it. */
  readonly says?: string;
  /** The same of a list, by its fields. Meant only of a command that prints one. */
  readonly saysOfList?: (fields: readonly string[], given: string | undefined) => string;
  /** Meant only of a command that takes this option. */
  readonly with?: string;
  /** Meant only of a command that does not take this option. */
  readonly without?: string;
}

const NO_TOKEN = 'No option takes a token: pipe it into auth login (< token), or set ORGCTL_TOKEN.';

const ONE_TRAIL = 'The audit trail has one token for each organization: run it once for each.';

const MEANT: readonly Meant[] = [
  { given: ['json', 'j'], here: '-o json' },
  { given: ['format', 'out', 'out-format', 'output-format'], here: '-o' },
  { given: ['jq', 'jmespath', 'jsonpath', 'template'], here: '--query' },
  { given: ['columns', 'column', 'field', 'attributes', 'properties'], here: '--fields' },
  { given: ['L', 'n', 'max', 'max-items', 'max-results', 'first', 'top', 'head', 'count'], here: '--limit' },
  { given: ['per-page', 'size'], here: '--page-size' },
  {
    given: ['all', 'a', 'all-pages', 'paginate', 'no-paginate'],
    says: 'Every page of a list is read anyway.',
    with: '--page',
  },
  {
    given: ['filter', 'where', 'selector'],
    says: 'Each list has its own options that filter, and --query filters every list.',
    with: '--page',
  },
  {
    given: ['sort', 'sort-by', 'order', 'order-by'],
    saysOfList: describeSorting,
  },
  { given: ['r', 'raw', 'raw-output'], saysOfList: () => BARE_VALUES },
  { given: ['no-header', 'no-headers', 'noheader', 'noheadings'], here: '-o tsv' },
  { given: ['web', 'w', 'browser', 'open'], says: NO_WEB_PAGE },
  { given: ['token', 'with-token', 'api-token', 'access-token', 'password', 'secret'], says: NO_TOKEN },
  { given: ['t'], here: '--team' },
  { given: ['t'], says: NO_TOKEN, without: '--team' },
  { given: ['force', 'assume-yes', 'auto-approve', 'confirm', 'skip-confirmation'], here: '--yes' },
  { given: ['f'], here: '--file' },
  { given: ['f'], says: 'It has no -f: --yes answers what asks first.', without: '--file' },
  { given: ['file'], says: 'It reads no file with --file.', without: '--file' },
  { given: ['role', 'group', 'groups'], here: '--team' },
  { given: ['O', 'out-file', 'output-file'], says: 'Results go to stdout: write > and the name of a file behind.' },
  { given: ['dryrun', 'check', 'what-if', 'whatif', 'preview', 'simulate', 'diff'], here: '--dry-run' },
  { given: ['non-interactive', 'batch', 'noinput', 'no-prompt'], here: '--no-input' },
  { given: ['verbose', 'v', 'trace', 'log-level', 'vv', 'vvv'], here: '--debug' },
  { given: ['v'], here: '--version' },
  { given: ['silent'], here: '--quiet' },
  { given: ['organization', 'organisation', 'owner', 'R'], here: '--org' },
  { given: ['all', 'organizations', 'organisations', 'recursive', 'A'], here: '--all-orgs' },
  { given: ['all-orgs', 'orgs'], says: ONE_TRAIL, with: '--actor' },
  { given: ['all-orgs', 'orgs'], says: ONE_TRAIL, with: '--cursor' },
  { given: ['ttl', 'expiry', 'expiration', 'expires-in', 'valid-for'], here: '--expires' },
  { given: ['cacert', 'ca-cert', 'ca'], here: '--ca-file' },
  { given: ['insecure', 'k', 'no-verify', 'skip-verify'], here: '--insecure-skip-tls-verify' },
  { given: ['cert', 'E'], here: '--client-cert' },
  { given: ['key'], here: '--client-key' },
  { given: ['hostname'], here: '--host' },
  { given: ['context', 'p', 'P'], here: '--profile' },
  { given: ['address', 'url', 'endpoint', 'server', 'api-url'], here: '--base-url' },
  { given: ['paginate', 'all-pages', 'slurp'], here: '--all' },
  {
    given: ['X', 'method', 'request'],
    says: 'The method stands before the path: api POST /organizations/{org}/teams.',
    with: '--input',
  },
  {
    given: ['F', 'raw-field', 'd', 'data', 'data-raw', 'data-binary', 'body'],
    says: 'A body is JSON, of a file or of stdin: --input body.json, or --input -.',
    with: '--input',
  },
  { given: ['H', 'header'], says: 'No option sets a header: what the API needs is sent.', with: '--input' },
  { given: ['i', 'include'], here: '--debug', with: '--input' },
  { given: ['u', 'user'], says: NO_TOKEN, with: '--input' },
];

/** Options of one command that another command does. */
const ELSEWHERE: readonly {
  readonly of: CommandName;
  readonly given: readonly string[];
  /** `{value}` stands for what the option was given, `{operands}` for the arguments. */
  readonly here: string;
}[] = [
  {
    of: 'members remove',
    given: ['team', 'teams', 'from', 'from-team'],
    here: 'teams remove {value} {operands}',
  },
  { of: 'members show', given: ['all-orgs'], here: 'members list --email {operands} --all-orgs' },
  { of: 'members show', given: ['orgs'], here: 'members list --email {operands} --orgs {value}' },
];

/** The command that does what this option of another one says; undefined where none does. */
export function findMeantCommand(
  command: CommandName | undefined,
  given: string,
  /** What stands behind it, the arguments, and what makes a word of a shell of each. */
  line: { readonly value: string | undefined; readonly operands: readonly string[]; toWord(word: string): string },
): string | undefined {
  const meant = ELSEWHERE.find(({ of, given: names }) => of === command && names.includes(given.replace(/^-+/, '')));
  if (meant === undefined) return undefined;
  const value = meant.here.includes('{value}') ? line.value : undefined;
  const operands = line.operands.filter((word) => word !== value).map(line.toWord);
  return meant.here
    .replace('{value}', () => (value === undefined ? '<name>' : line.toWord(value)))
    .replace('{operands}', () => operands.join(' ') || '<member>');
}

/** By the field that was given, else the first, for example; what else is named comes along. */
function describeSorting(fields: readonly string[], given = ''): string {
  const own = fields.filter((field) => !/^(?:organization\.)?id$/.test(field));
  const [word] = given.split(':', 1);
  const asked = fields.filter((field) => [field, `-${field}`, `+${field}`].includes(word ?? ''));
  const [first = 'id', second = 'id'] = [...asked, ...own.filter((field) => !asked.includes(field))];
  const beside = fields.includes('organization.id') ? 'organization.id' : second;
  const query = /^[a-z.]+$/.test(first) ? `, or in json --query "sort_by(@, &not_null(${first}, ''))"` : '';
  return `No option sorts a list: pipe --fields ${first},${beside} into sort${query}.`;
}

/**
 * What an option of another tool is here: options, or a sentence where none does it. `known`: those that the command takes.
 */
export function findMeantOption(
  given: string,
  /** What stands behind it. */
  value: string | undefined,
  known: ReadonlySet<string>,
  verb: VerbFacts | undefined,
): { readonly options: readonly string[]; readonly says?: string } {
  const name = given.replace(/^-+/, '');
  const meant = MEANT.filter(
    (each) =>
      each.given.includes(name) &&
      (each.with === undefined || known.has(each.with)) &&
      (each.without === undefined || !known.has(each.without)),
  );
  const list = verb?.effect === 'reads' && verb.printsOne !== true ? verb.columns : undefined;
  const options = meant.flatMap(({ here }) =>
    here !== undefined && known.has(here.split(' ', 1)[0] ?? '') ? here : [],
  );
  const [says] = meant.flatMap((each) => each.says ?? (list && each.saysOfList?.(listFields(list), value)) ?? []);
  return { options, ...(says === undefined ? {} : { says }) };
}
