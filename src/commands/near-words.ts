/** Words of other tools in the place of commands. A word that means one verb alone stands in `near` of that verb. */

/** Verbs that do the same whatever the noun is: of ours the first that a noun has counts. */
const VERBS: readonly { readonly given: readonly string[]; readonly here: readonly string[] }[] = [
  {
    given: ['describe', 'view', 'show', 'get', 'inspect', 'detail', 'info', 'display', 'read', 'cat', 'print'],
    here: ['show', 'get', 'list', 'status'],
  },
  { given: ['list', 'ls', 'index', 'all', 'enumerate', 'search', 'find', 'query', 'lookup'], here: ['list'] },
  {
    given: ['create', 'new', 'add', 'insert', 'make', 'register', 'post', 'put'],
    here: ['create', 'add', 'invite', 'generate'],
  },
  {
    given: ['delete', 'del', 'remove', 'rm', 'destroy', 'drop', 'erase', 'purge', 'revoke'],
    here: ['delete', 'remove', 'unset'],
  },
  { given: ['update', 'edit', 'modify', 'change', 'patch', 'configure'], here: ['set'] },
  { given: ['rotate', 'renew', 'refresh', 'regenerate', 'roll', 'reissue', 'replace'], here: ['rotate'] },
  { given: ['sync', 'reconcile', 'import', 'load'], here: ['plan', 'apply'] },
  { given: ['upload', 'push', 'release'], here: ['publish', 'apply'] },
  { given: ['diff', 'preview', 'drift'], here: ['plan', 'compare'] },
  { given: ['export', 'dump', 'backup', 'download', 'audit', 'review'], here: ['report', 'list'] },
  { given: ['watch', 'tail', 'stream', 'follow'], here: ['follow'] },
  { given: ['switch', 'select', 'activate', 'use'], here: ['use'] },
  { given: ['verify', 'validate', 'test', 'check'], here: ['check', 'status'] },
];

export const NO_WEB_PAGE = 'No command opens a web page.';

/** What no command does. */
const ABSENT: readonly {
  readonly given: readonly string[];
  readonly says: string;
  /** Behind a noun it means something else. */
  readonly isFirst?: true;
}[] = [
  {
    given: ['destroy', 'fmt', 'validate', 'taint', 'untaint', 'refresh', 'output', 'graph', 'console', 'state'],
    says: 'That is for terraform: orgctl is about organizations, with their people, teams, tokens and providers.',
    isFirst: true,
  },
  {
    given: ['update', 'upgrade', 'self-update'],
    says: "orgctl doesn't update itself: install a newer version over it.",
    isFirst: true,
  },
  { given: ['alias', 'extension', 'plugin'], says: 'orgctl has no aliases and no extensions.' },
  { given: ['open', 'browse', 'web', 'ui'], says: NO_WEB_PAGE },
  {
    given: ['undo', 'rollback', 'revert', 'restore'],
    says: 'Nothing can be undone: --dry-run shows before what a command would do.',
  },
  { given: ['rename'], says: 'No command renames anything; api sends any request.' },
  {
    given: ['sso', 'saml', 'scim', 'mfa', '2fa'],
    says: 'The service sets up how people sign in; members report shows who has two-factor authentication.',
  },
];

/** What our verbs may be called that do what this one of another tool does. The word itself is not among them. */
export function listMeantVerbs(word: string): readonly string[] {
  const given = word.toLowerCase();
  return VERBS.flatMap((each) => (each.given.includes(given) ? each.here : [])).filter((here) => here !== given);
}

/** A sentence for what no command does. `isFirst`: whether the word stands in the place of a noun. */
export function findAbsent(word: string, isFirst: boolean): string | undefined {
  const given = word.toLowerCase();
  const names = [given, given.replace(/s$/, '')];
  return ABSENT.find((each) => (isFirst || each.isFirst !== true) && names.some((name) => each.given.includes(name)))
    ?.says;
}
