import { describe, expect, test } from 'vitest';
import { NOUNS } from '../../src/nouns.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import { FORMAT_NAMES } from '../../src/stdout/formats/index.ts';
import { isNode, type Node, parse, readSources, walk } from './sources.ts';

/**
 * Decisions that must stand once. A row says where, by which marks a second copy is known, and shows copies: each of them
 * is reported anywhere else.
 */
interface Decision {
  readonly decision: string;
  /** Whose files are looked at. In src without the sandbox, which is the service itself, and has decisions of its own. */
  readonly folder?: Folder;
  /** A file, or a folder by the slash at its end. */
  readonly homes: readonly string[];
  readonly marks: readonly Mark[];
  readonly copies: readonly string[];
}

const FOLDERS = ['src', 'sandbox', 'test'] as const;
type Folder = (typeof FOLDERS)[number];

type Mark = (node: Node, parent: Node | undefined, text: string) => boolean;

const DECISIONS: readonly Decision[] = [
  {
    decision: 'in which forms a secret may be written',
    homes: ['src/secrets/'],
    marks: [
      says(/\[removed\]/),
      imports(/\/secrets\/(?:body|forms|writing)\.ts$/),
      calls(/^(?:replace|replaceAll|split|indexOf|includes)$/, /secret|token|password/i),
    ],
    copies: [
      "const shown = text.replaceAll(secret, '…');",
      "const isShown = [secret, encodeURIComponent(secret)].some((form) => text.includes(form)) ? '[removed]' : text;",
      "import { createForms } from '../secrets/forms.ts';",
    ],
  },
  {
    decision: 'who is an owner, and may not be removed',
    homes: [
      'src/error-codes.ts',
      'src/people/removal-guard.ts',
      'src/resources/team.ts',
      'src/service/diagnosis/managed.ts',
    ],
    marks: [says(/^owners$/), says(/^(?:protected|last-owner|owners-unseen)$/)],
    copies: [
      "const isOwner = member.teams.some(({ name }) => name === 'owners');",
      "throw new UsageError('an owner is not removed', { code: 'protected' });",
    ],
  },
  {
    decision: 'where a row of a file of people acts',
    homes: ['src/people-files/', 'src/roster/roster.ts'],
    marks: [imports(/\/(?:parse-people-\w+|placed-people)\.ts$/)],
    copies: [
      "import { parsePeople } from '../people/parse-people-file.ts';",
      "const { parsePeople } = await import('../../people/parse-people-file.ts');",
    ],
  },
  {
    decision: 'is this the service, and which one',
    homes: ['src/service/diagnosis/address.ts'],
    marks: [says(/^(?:tfp-appname|tfp-api-version|x-tfe-version|tfe\.v2)$/i)],
    copies: [
      "const isService = answer.headers['tfp-appname'] !== undefined;",
      "const { 'x-tfe-version': version } = headers;",
      "const at = discovered['tfe.v2'];",
    ],
  },
  {
    decision: 'how tokens are rotated, of one organization as of several',
    homes: ['src/commands/rotate-each.ts'],
    marks: [imports(/\/rotation\/(?:rotate|sinks\/parse)\.ts$/)],
    copies: [
      "import { rotate as runRotation } from '../../rotation/rotate.ts';",
      "import { parseSinks } from '../../rotation/sinks/parse.ts';",
    ],
  },
  {
    decision: "whether the route of the token's metadata exists",
    // Doctor asks for the token alone; what a refusal of that means is in diagnosis.
    homes: ['src/rotation/current-token.ts', 'src/commands/doctor/caller.ts'],
    marks: [
      (node) => isMember(node, 'auditTokens', 'show'),
      says(/^https:\/\/app\.eu\.terraform\.io$/),
      (node, _, text) => node.type === 'BinaryExpression' && /\brefusal\.status [!=]== 404$/.test(textOf(node, text)),
    ],
    copies: [
      'const document = await service.auditTokens.show(organization);',
      "const hasRoute = ['https://app.eu.terraform.io', 'sandbox'].includes(origin);",
      'const isMissing = metadata.refusal.status === 404;',
    ],
  },
  {
    decision: 'how a command to paste is written',
    // Examples, help and the scripts of shells write commands out.
    homes: [
      'src/input/next-command.ts',
      'src/context/',
      'src/commands/help/layout.ts',
      'src/commands/completion/scripts.ts',
    ],
    marks: [
      imports(/\/shell-word\.ts$/),
      calls(/^createNextCommand$/),
      says(new RegExp(`\\borgctl (?:--(?!help)|(?:${NOUNS.map(({ name }) => name).join('|')})\\b)`)),
    ],
    copies: [
      "const hint = 'See: orgctl teams list';",
      'const next = `orgctl members apply --file $' + '{file}`;',
      "const next = 'orgctl --sandbox members list';",
      "import { toShellWord } from '../input/shell-word.ts';",
    ],
  },
  {
    decision: 'how commander learns of arguments, options and what is done',
    homes: ['src/commands/param.ts', 'src/commands/verb.ts', 'src/program.ts'],
    marks: [
      calls(/^(?:(?:add|create|required)?(?:Option|option|Argument|argument)s?|action|command|addCommand)$/),
      importsNames('commander', /^(?:Command|Option|Argument|create\w+|program)$/),
    ],
    copies: [
      "verb.option('--all', 'Every page of a list');",
      "noun.command('list').argument('<name>', 'Its name').action(show);",
      "import { Option } from 'commander';",
      'command.addOption(toOption(STATE.state));',
    ],
  },
  {
    decision: 'what reaches stderr',
    homes: ['src/stderr/stream.ts'],
    marks: [takesStderr],
    copies: [
      'host.stderr.write(text);',
      'const { stdout, stderr } = context.host;',
      'const say = ({ stderr }: Host, text: string) => stderr.write(text);',
      "const say = ({ stderr: stream }: Pick<Host, 'stderr'>, text: string) => stream.write(text);",
    ],
  },
  {
    decision: 'how stdin and files are read',
    // Answers that are typed.
    homes: ['src/host.ts', 'src/files/', 'src/stderr/prompt.ts'],
    marks: [
      (node, parent) =>
        ['host', 'process'].some((name) => isMember(node, name, 'stdin')) &&
        !(isNode(parent) && nameOf(parent['property']) === 'isTTY'),
      importsNames('node:fs', /^(?:createReadStream|readFile|readFileSync|readSync)$/),
      says(/^\/dev\/stdin$/),
      // A byte order mark, which decoding leaves out.
      says(/\ufeff|\\ufeff/i),
    ],
    copies: [
      'const pieces = await Array.fromAsync(context.host.stdin);',
      "import { readFileSync } from 'node:fs';",
      "import { readFile } from 'node:fs/promises';",
      "const plain = text.startsWith('\\uFEFF') ? text.slice(1) : text;",
      "const plain = text.replace(/^\\uFEFF/, '');",
    ],
  },
  {
    decision: 'which formats there are',
    homes: ['src/stdout/formats/'],
    marks: [(node, _, text) => comparesFormat(node, text), hasFormats],
    copies: [
      "const isText = output.format === 'table';",
      "switch (format) { case 'ndjson': break; }",
      "const isData = ['json', 'jsonapi'].includes(format);",
      "const FORMATS = ['table', 'json', 'ndjson'];",
      'const renderers = { table: toTable, json: toJson, ndjson: toLines };',
    ],
  },
  {
    decision: 'how files are made, replaced, synced and removed',
    // Settings, by conf.
    homes: ['src/files/', 'src/settings/store.ts'],
    marks: [
      importsNames(
        'node:fs',
        /^(?:appendFile|chmod|copyFile|createWriteStream|f?truncate|f(?:data)?sync|mkd(?:ir|temp)|rename|rm(?:dir)?|unlink|writeFile)(?:Sync)?$/,
      ),
      imports(/^(?:atomically|conf|proper-lockfile)$/),
    ],
    copies: [
      "import { mkdirSync } from 'node:fs';",
      "import { rename, writeFile } from 'node:fs/promises';",
      "const { lock } = await import('proper-lockfile');",
    ],
  },
  {
    decision: 'which operation a refused request was',
    homes: ['src/service/operations.ts'],
    marks: [says(new RegExp(`^(?:\\^|\\\\)*/(?:${listFirstSegments().join('|')})(?:$|[/?\\\\])`))],
    copies: [
      'const isToken = /^\\/organizations\\/[^/]+\\/authentication-token$/.test(path);',
      "const isOwn = path === '/organization-memberships';",
      'const path = `/organizations/$' + '{name}/teams`;',
    ],
  },
  {
    decision: 'how names and emails are compared',
    homes: ['src/names.ts', 'src/email.ts'],
    marks: [foldsName],
    copies: [
      'const isOwn = own.toLowerCase() === organization.toLowerCase();',
      'const key = organization?.toLowerCase();',
      'const key = person.email.trim().toLowerCase();',
    ],
  },
  {
    decision: 'as what an organization is referred to',
    homes: ['src/resources/organization.ts'],
    marks: [isTypedOrganization, importsNames(/\/wire\/resources\.ts$/, /^ORGANIZATIONS$/)],
    copies: [
      "const reference = { id: organization, type: 'organizations' };",
      "import { ORGANIZATIONS } from '../wire/resources.ts';",
    ],
  },
  {
    decision: 'when the rest of several is not begun',
    // Reading a trail goes on after trouble.
    homes: ['src/stop.ts', 'src/audit-trail/follow.ts'],
    marks: [listsOrCompares(/^(?:rate-limited|organization-limit)$/), isWidth],
    copies: [
      "if (error.exit === 'rate-limited') break;",
      "const STOPPING = new Set(['rate-limited', 'failure']);",
      'const MOST_UNAVAILABLE = 8;',
    ],
  },
  {
    decision: 'which ends are by a signal',
    homes: ['src/interrupts.ts'],
    marks: [
      listsOrCompares(/^(?:interrupted|terminated|hangup)$/),
      (node) => node.type === 'Property' && /^SIG(?:HUP|INT|TERM)$/.test(nameOf(node['key'])),
    ],
    copies: ["const SIGNALS = new Set(['interrupted', 'hangup']);", "if (error.exit === 'interrupted') throw error;"],
  },
  {
    decision: 'which organizations a command is about',
    homes: [
      'src/organizations/organizations.ts',
      'src/context/identity.ts',
      'src/context/context.ts',
      'src/commands/people.ts',
    ],
    marks: [
      reads('BinaryExpression', /\bseveral [!=]== (?:undefined|'all')$/),
      says(/ people are named by email, not /),
    ],
    copies: [
      'const all = identity.several === undefined ? [identity.organization()] : await names();',
      "const option = several === 'all' ? '--all-orgs' : '--orgs';",
      'if (context.identity.several !== undefined) await removeEverywhere(context, input);',
      'throw new UsageError(`with --orgs people are named by email, not by $' + '{name}`, { hint });',
    ],
  },
  {
    decision: 'which person and which team a name means',
    homes: ['src/people/directory.ts', 'src/people/teams.ts'],
    marks: [
      reads('CallExpression', /\bteams\.list\(\w+, \{\}\)$/),
      reads('CallExpression', /^isSameName\((?:teamName\(|(?:\w+\.)?username\b)/),
    ],
    copies: [
      'const known = await readAll(service.teams.list(organization, {}));',
      'const found = teams.filter((team) => isSameName(teamName(team), name));',
      'const found = members.filter(({ username }) => isSameName(username, name));',
    ],
  },
  {
    decision: 'how sentences and questions call the organizations that they are about',
    homes: ['src/text/count.ts'],
    marks: [
      reads('TemplateLiteral', /^`these \$\{(?:countOrganizations\([^}]*\)\}|[^}]*\} organizations)/),
      reads('ConditionalExpression', /\? [\w.[\]]+ : countOrganizations\(/),
    ],
    copies: [
      'const where = names.length === 1 ? names[0] : countOrganizations(names.length);',
      'const where = names.length === 1 ? names[0] : `these $' + '{names.length} organizations`;',
      'const which = only ?? `these $' + '{countOrganizations(names.length)}`;',
    ],
  },
  {
    decision: 'what is said of an argument or option that is empty',
    homes: [
      'src/commands/param.ts',
      // Files.
      'src/people-files/',
      'src/provider-list/provider-list.ts',
      'src/report/read-earlier.ts',
      'src/roster/roster.ts',
    ],
    marks: [reads('TemplateLiteral', /^`\$\{name\} is empty`$/)],
    copies: ['if (given.length === 0) throw new UsageError(`$' + '{name} is empty`, { hint });'],
  },
  {
    decision: 'how people come into teams and out of them',
    homes: ['src/people/team-changes.ts'],
    marks: [calls(/^prepareChange$/)],
    copies: ["const prepared = service.teams.prepareChange({ change: 'add', team, organization }, members);"],
  },
  {
    decision: 'what of several organizations stands in rows of changes, and in their errors',
    homes: ['src/commands/bulk.ts'],
    marks: [
      reads('CallExpression', /^withResultsOfSeveral\(/),
      reads('ConditionalExpression', /\bisOne \? undefined : \(\{ organization\b/),
    ],
    copies: [
      'const columns = isOne ? COLUMNS : withResultsOfSeveral(COLUMNS);',
      'const organizationOf = isOne ? undefined : ({ organization }) => organization;',
    ],
  },
  {
    decision: 'what several failures come to, and what a row says of one',
    homes: ['src/failures.ts', 'src/commands/row-error.ts', 'src/commands/tally.ts', 'src/stderr/reporter.ts'],
    marks: [says(/^Not attempted: /), reads('ObjectExpression', /^\{ code: \w+\.code, (?:\/\/.*)?(?:exit|message): /)],
    copies: [
      'const reasons = [`Not attempted: $' + "{names.join(', ')}`];",
      'const row = { code: error.code, message: redact(describeError(error)) };',
    ],
  },
  {
    decision: 'how long a minute, an hour and a day are, and how large a mebibyte',
    homes: ['src/when.ts', 'src/files/read-file.ts'],
    marks: [
      (node) => node.type === 'Literal' && [86_400_000, 3_600_000].includes(Number(node['value'])),
      reads('BinaryExpression', /^(?:\d+ \* )?(?:24 \* (?:60|HOUR)|1024 \* 1024)\b/),
    ],
    copies: ['const SOON = 30 * 86_400_000;', 'const DAY = 24 * 60 * 60 * 1000;', 'const MOST = 4 * 1024 * 1024;'],
  },
  {
    decision: 'what counts where nothing is set',
    // Which services are the hosted one.
    homes: ['src/settings/defaults.ts', 'src/rotation/current-token.ts'],
    marks: [says(/\bapp\.terraform\.io\b/)],
    copies: ["const address = 'https://app.terraform.io/api/v2';"],
  },
  {
    decision: 'how lists are shortened, and sentences begun',
    // What is only counted.
    homes: [
      'src/text/shorten.ts',
      'src/text/sentence.ts',
      'src/text/steps.ts',
      'src/commands/tally.ts',
      'src/stderr/reporter.ts',
    ],
    marks: [
      reads('TemplateLiteral', /^`and \$\{[^}]*\} more\b/),
      reads('CallExpression', /\.charAt\(0\)\.toUpperCase\(\)$/),
    ],
    copies: [
      'const lines = [...some, `and $' + '{all.length - 20} more`];',
      'const text = word.charAt(0).toUpperCase() + word.slice(1);',
    ],
  },
  {
    decision: 'which provider a resource is',
    homes: ['src/resources/provider-address.ts'],
    marks: [
      (node, parent) =>
        (node.type === 'MemberExpression' && nameOf(node['property']) === 'registry-name') ||
        (parent?.type === 'ObjectPattern' && nameOf(node['key']) === 'registry-name'),
    ],
    copies: ["const { 'registry-name': registry } = attributes;", "const registry = attributes['registry-name'];"],
  },
  {
    decision: 'what is made of a list, page by page',
    // Several lists as one, and what has to count again where a list is read again.
    homes: [
      'src/service/pages.ts',
      'src/service/page.ts',
      'src/organizations/read-together.ts',
      'src/people/select-members.ts',
      // What is printed of them.
      'src/stdout/records.ts',
      'src/context/screen.ts',
    ],
    marks: [
      reads('Property', /^(?:async ?\*)?read(?:: )?(?:<\w+>)?\(_?way\b/),
      reads('Property', /^pagination: undefined$/),
    ],
    copies: [
      'const list = { ...reading, read: (way, keep) => reading.read(way, (page) => keep(change(page))) };',
      'const list = { async *read<Kept>(_way: Way, keep: Keep<Kept>) { yield await keep(page); } };',
      'const page = { items, included: [], document: { data: items }, pagination: undefined };',
    ],
  },
  {
    decision: 'what a count says, where none says nothing',
    homes: ['src/text/count.ts'],
    marks: [
      reads('ConditionalExpression', /(?:\? \[\] : )?\[`\$\{(?:formatCount\(\w+\)|count)\} [^`]*`\](?: : \[\])?$/),
    ],
    copies: [
      'const parts = left === 0 ? [] : [`$' + '{formatCount(left)} left`];',
      'const parts = left > 0 ? [`$' + '{formatCount(left)} left`] : [];',
    ],
  },
  {
    decision: 'what a 404 says: not there, as far as this token may see',
    homes: ['src/errors.ts'],
    marks: [reads('LogicalExpression', /^\w+ instanceof ServiceError && \w+\.status === 404$/)],
    copies: ['const isAbsent = error instanceof ServiceError && error.status === 404;'],
  },
  {
    decision: 'whether a file ends with its last line',
    homes: ['src/files/look.ts'],
    marks: [reads('BinaryExpression', /(?:\b0x0a|\bNEWLINE)$/)],
    copies: ['const isWhole = byte[0] === 0x0a;'],
  },
  {
    decision: 'how items are grouped and counted',
    homes: ['src/groups.ts'],
    marks: [keepsGroup],
    copies: [
      'groups.set(key, [...(groups.get(key) ?? []), item]);',
      'if (group === undefined) groups.set(key, [item]);',
      'counts.set(name, (counts.get(name) ?? 0) + 1);',
    ],
  },
  {
    decision: 'how the sandbox answers a list',
    folder: 'sandbox',
    // Keys have links of their own form, and the audit trail names of its own.
    homes: ['src/sandbox/answers.ts', 'src/sandbox/routes/gpg-keys.ts', 'src/sandbox/routes/audit-trail.ts'],
    marks: [calls(/^(?:toPagination|toPageLinks)$/)],
    copies: ['const links = toPageLinks(url, page, toPagination(page, total));'],
  },
  {
    decision: 'how the sandbox reads rows page by page',
    folder: 'sandbox',
    homes: ['src/sandbox/rows.ts'],
    marks: [says(/\bLIMIT \? OFFSET \?/)],
    copies: ["store.all('SELECT * FROM teams ORDER BY seq LIMIT ? OFFSET ?', limit, offset);"],
  },
  {
    decision: 'how the sandbox reads the resource that a write sends',
    folder: 'sandbox',
    // An invitation that is accepted, and the members of a team, are no resource.
    homes: ['src/sandbox/request.ts', 'src/sandbox/routes/accept.ts', 'src/sandbox/routes/team-members.ts'],
    marks: [calls(/^body$/)],
    copies: ["const attributes = toMembers(toMembers(context.body()['data'])['attributes']);"],
  },
  {
    decision: 'where organizations and teams lie in the sandbox',
    folder: 'sandbox',
    homes: ['src/sandbox/route.ts'],
    marks: [says(/\/:organization_name$|\/:organization_name\/[^:]|\/:team_id\b/)],
    copies: ["const PATH = '/organizations/:organization_name/teams';", "const ONE = '/teams/:team_id';"],
  },
  {
    decision: 'what ships is what is tested',
    folder: 'test',
    homes: ['test/support/product.ts', 'test/support/layers.ts', 'test/roster/campaign/command.ts'],
    marks: [
      importsNames(/\/src\//, /^(?:main|createService|createTransport|explain|openSandbox|serveSandbox)$/),
      says(/\/dist\/main\.cjs$/),
    ],
    copies: ["import { main } from '../../src/main.ts';", "require('../../dist/main.cjs');"],
  },
];

describe.each(DECISIONS)('$decision', (decision) => {
  const { homes, copies } = decision;
  const isIn = (path: string, home: string): boolean => (home.endsWith('/') ? path.startsWith(home) : path === home);

  test('is decided in one place', () => {
    const others = findAll().filter(
      (found) => found.decision === decision && !homes.some((home) => isIn(found.path, home)),
    );
    expect(others.map(({ path, code }) => `${path}: ${code}`)).toEqual([]);
  });

  test.each(homes)('is decided in %s', (home) => {
    expect(findAll().some((found) => found.decision === decision && isIn(found.path, home))).toBe(true);
  });

  test.each(copies)('is seen where it is written again: %s', (copy) => {
    expect(find([decision], 'src/commands/a.ts', copy)).not.toEqual([]);
  });
});

interface Found {
  readonly decision: Decision;
  readonly path: string;
  readonly code: string;
}

let all: readonly Found[] | undefined;

/** In all files, each of them parsed once. */
function findAll(): readonly Found[] {
  all ??= FOLDERS.flatMap((folder) => {
    const decisions = DECISIONS.filter((each) => (each.folder ?? 'src') === folder);
    const sources = [...readSources(folder === 'test' ? 'test' : 'src')].filter(
      ([path]) => path.startsWith('src/sandbox/') === (folder === 'sandbox') && !path.startsWith('test/architecture/'),
    );
    return sources.flatMap(([path, text]) => find(decisions, path, text));
  });
  return all;
}

function find(decisions: readonly Decision[], path: string, text: string): readonly Found[] {
  const found: Found[] = [];
  walk(parse(path, text).program, (node, parent) => {
    if (isExamples(node, parent)) return false;
    for (const decision of decisions) {
      if (!decision.marks.some((mark) => mark(node, parent, text))) continue;
      found.push({ decision, path, code: textOf(node, text) });
    }
    return true;
  });
  return found;
}

/** Of help: they are written out. */
function isExamples(node: Node, parent: Node | undefined): boolean {
  if (node.type === 'Property') return nameOf(node['key']) === 'examples';
  return node.type === 'ArrayExpression' && parent?.type === 'CallExpression' && nameOf(parent['callee']) === 'noun';
}

/** A text, a piece of one, a name in quotation marks or a regular expression. */
function says(pattern: RegExp): Mark {
  return (node, parent) => {
    if (parent?.type === 'ImportDeclaration' || parent?.type === 'TSLiteralType') return false;
    const value = node['value'];
    if (node.type === 'TemplateElement') return pattern.test((value as { readonly cooked: string }).cooked);
    if (node.type !== 'Literal') return false;
    const regex = node['regex'] as { readonly pattern: string } | undefined;
    return pattern.test(regex?.pattern ?? (typeof value === 'string' ? value : ''));
  };
}

function imports(specifier: RegExp): Mark {
  return (node) => isImport(node) && node['importKind'] !== 'type' && specifier.test(sourceOf(node));
}

/** From `node:fs` also its promises. */
function importsNames(specifier: string | RegExp, names: RegExp): Mark {
  const isSource = (source: string): boolean =>
    typeof specifier === 'string' ? source === specifier || source === `${specifier}/promises` : specifier.test(source);
  return (node, parent) => {
    if ([node, parent].some((each) => each?.['importKind'] === 'type')) return false;
    if (node.type === 'ImportSpecifier' || node.type === 'ExportSpecifier') {
      const name = nameOf(node['imported'] ?? node['local']);
      return parent !== undefined && isSource(sourceOf(parent)) && names.test(name);
    }
    // By another name than its own it could be anything.
    return (
      /^Import(?:Namespace|Default)Specifier$/.test(node.type) && parent !== undefined && isSource(sourceOf(parent))
    );
  };
}

function calls(name: RegExp, firstArgument = /^/): Mark {
  return (node) => {
    if (node.type !== 'CallExpression' || !isNode(node['callee'])) return false;
    const [first] = node['arguments'] as readonly Node[];
    const callee = node['callee'];
    const called = callee.type === 'MemberExpression' ? nameOf(callee['property']) : nameOf(callee);
    return name.test(called) && firstArgument.test(first === undefined ? '' : nameOf(first));
  };
}

function comparesFormat(node: Node, text: string): boolean {
  const isFormat = (value: unknown): boolean =>
    isNode(value) && (FORMAT_NAMES as readonly unknown[]).includes(value['value']);
  const isNamed = (value: unknown): boolean => isNode(value) && /format/i.test(textOf(value, text));
  if (node.type === 'BinaryExpression') {
    const sides = [node['left'], node['right']];
    return sides.some(isFormat) && sides.some(isNamed);
  }
  if (node.type === 'SwitchStatement') {
    return isNamed(node['discriminant']) && (node['cases'] as readonly Node[]).some((each) => isFormat(each['test']));
  }
  if (node.type !== 'CallExpression' || !isNode(node['callee'])) return false;
  const list = node['callee']['object'];
  const isList =
    isNode(list) && list.type === 'ArrayExpression' && (list['elements'] as readonly unknown[]).some(isFormat);
  return isList && (node['arguments'] as readonly unknown[]).some(isNamed);
}

/** `host.stderr`, `{ stderr } = host` and `({ stderr }: Host)`. A child process has a stderr too, and orgctl's own writer. */
function takesStderr(node: Node, _parent: Node | undefined, text: string): boolean {
  if (isMember(node, 'host', 'stderr')) return true;
  const isDeclared = node.type === 'VariableDeclarator';
  const pattern = isDeclared ? node['id'] : node;
  if (!isNode(pattern) || pattern.type !== 'ObjectPattern') return false;
  if (!(pattern['properties'] as readonly Node[]).some((property) => nameOf(property['key']) === 'stderr'))
    return false;
  const type = pattern['typeAnnotation'];
  return isDeclared ? nameOf(node['init']) === 'host' : isNode(type) && /\bHost\b/.test(textOf(type, text));
}

/** A list of formats, or something for each. */
function hasFormats(node: Node): boolean {
  const members = (node['elements'] ?? node['properties'] ?? []) as readonly (Node | null)[];
  const names = members.map((each) => nameOf(each?.type === 'Property' ? each['key'] : each));
  return FORMAT_NAMES.filter((name) => names.includes(name)).length > 2;
}

/** Two texts compared without case, or one that is a name or an email made ready for that. */
function foldsName(node: Node, _parent: Node | undefined, text: string): boolean {
  if (node.type === 'BinaryExpression') {
    return [node['left'], node['right']].every((side) => isNode(side) && /\.toLowerCase\(\)$/.test(textOf(side, text)));
  }
  const isCall = node.type === 'CallExpression';
  return isCall && /\b(?:organization|email|username)\b[\w.?()]*\.toLowerCase\(\)$/.test(textOf(node, text));
}

function isTypedOrganization(node: Node): boolean {
  return node.type === 'Property' && nameOf(node['key']) === 'type' && nameOf(node['value']) === 'organizations';
}

/** Code of this form: its blanks count as one, and its first 120 characters. */
function reads(type: string, pattern: RegExp): Mark {
  return (node, _, text) => node.type === type && pattern.test(textOf(node, text));
}

/** A text that stands in a list, or that something is compared with. */
function listsOrCompares(pattern: RegExp): Mark {
  const isText = says(pattern);
  return (node, parent) =>
    isText(node, parent, '') && parent !== undefined && /^(?:ArrayExpression|BinaryExpression)$/.test(parent.type);
}

function isWidth(node: Node): boolean {
  const name = nameOf(node['id']);
  const isNamed = node.type === 'VariableDeclarator' && /^(?:AT_ONCE|MOST_(?:CONNECTIONS|UNAVAILABLE))$/.test(name);
  return isNamed && isNode(node['init']) && node['init']['value'] === 8;
}

/** A map of lists that grow, or of counts. */
function keepsGroup(node: Node, _parent: Node | undefined, text: string): boolean {
  if (!calls(/^set$/)(node, undefined, text)) return false;
  const [, value] = node['arguments'] as readonly (Node | undefined)[];
  if (value === undefined) return false;
  const [only, ...more] = (value['elements'] ?? []) as readonly Node[];
  const isBegun = only !== undefined && more.length === 0 && only.type !== 'SpreadElement';
  return isBegun || /^(?:\[\.\.\.)?\(\w+\.get\(.*\) \?\? (?:\[\]\),|0\) \+)/.test(textOf(value, text));
}

function listFirstSegments(): readonly string[] {
  const paths = Object.values(OPERATIONS).flatMap(({ request }) => request.path ?? []);
  return [...new Set(paths.map((path) => path.split('/')[1] ?? ''))].map((segment) => segment.replace('.', '\\.'));
}

function isMember(node: Node | undefined, object: string, property: string): boolean {
  if (node?.type !== 'MemberExpression' || nameOf(node['property']) !== property) return false;
  return nameOf(node['object']) === object;
}

function isImport(node: Node): boolean {
  return node.type === 'ImportDeclaration' || node.type === 'ImportExpression';
}

function sourceOf(node: Node): string {
  return isNode(node['source']) ? String(node['source']['value']) : '';
}

/** Of an identifier itself, of a member its last name. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  return node.type === 'MemberExpression' ? nameOf(node['property']) : String(node['name'] ?? node['value'] ?? '');
}

function textOf(node: Node, text: string): string {
  return text.slice(node.start, node.end).replace(/\s+/g, ' ').slice(0, 120);
}
