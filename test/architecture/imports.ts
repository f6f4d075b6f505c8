import { posix } from 'node:path';
import { isNode, type Node, parse, walk } from './sources.ts';

/** Which module of src may import what. The table is data; `findForbidden` is the judge. */

interface Room {
  /** Rooms whose modules may be imported. The own room is always allowed. */
  readonly values: readonly string[];
  /** Rooms of which only types may be imported. */
  readonly types?: readonly string[];
  /** Its face: the files that others may import. Left out where each file is a tool by itself, and known to all. */
  readonly face?: readonly string[];
  /** What only these rooms or nouns may import too: their room is made of it. */
  readonly guests?: Readonly<Record<string, readonly string[]>>;
}

const GROUND = ['wire', 'ground'];
const TOOLS = [...GROUND, 'text', 'input', 'secrets', 'files', 'subprocess', 'resources'];
const PARTS = [
  'service',
  'organizations',
  'settings',
  'stdout',
  'rotation',
  'tokens',
  'audit-trail',
  'people',
  'people-files',
  'roster',
  'provider-list',
  'publish',
  'report',
];

/** A room is a folder of src. Of what lies beside the folders these are the top, and all else is the ground. */
const TOP = ['main', 'program', 'nouns', 'man-pages'];

export const ROOMS: Readonly<Record<string, Room>> = {
  wire: { values: [] },
  ground: { values: [], types: ['wire'] },
  text: { values: GROUND },
  input: { values: [...GROUND, 'text'] },
  resources: { values: GROUND },
  files: { values: [...GROUND, 'sqlite'] },
  sqlite: { values: [], face: ['sqlite'] },
  secrets: {
    values: GROUND,
    face: ['secrets', 'token', 'fingerprint'],
    guests: { 'commands/api': ['find'], stderr: ['find'] },
  },
  subprocess: {
    values: [...GROUND, 'files'],
    types: ['secrets'],
    face: ['split-words', 'find-command', 'run-command'],
    guests: { settings: ['read-command'] },
  },
  service: {
    values: TOOLS,
    face: ['service', 'page', 'pages', 'include', 'memberships'],
    guests: {
      'audit-trail': ['audit-trail'],
      'commands/api': ['enterprise', 'generic-request', 'operations'],
      'commands/audit-token': ['enterprise', 'tokens'],
      'commands/tokens': ['enterprise', 'token-policy', 'tokens'],
      tokens: ['audit-token', 'caller', 'enterprise', 'token-policy', 'tokens'],
      'commands/audit-trail': ['audit-trail', 'caller', 'enterprise'],
      'commands/auth': ['diagnosis/address', 'examine-token'],
      'commands/doctor': [
        'diagnosis/address',
        'diagnosis/evidence',
        'diagnosis/refusal',
        'diagnosis/verdict',
        'enterprise',
        'http',
        'inspect',
        'operations',
        'problem',
        'proxy',
        'query',
        'token-policy',
      ],
      'commands/providers': ['provider-versions'],
      context: ['http', 'write-log'],
      organizations: ['caller'],
      publish: ['gpg-keys', 'http', 'operations', 'private-registry', 'provider-versions', 'uploads'],
      people: ['team-change'],
      stderr: ['http'],
    },
  },
  stdout: {
    values: TOOLS,
    face: ['columns', 'cell', 'fields', 'flatten', 'result', 'output', 'formats/index'],
    guests: {
      commands: ['query-fault'],
      'commands/api': ['compared-fields', 'formats/jsonapi', 'json', 'query'],
      top: ['query'],
    },
  },
  stderr: {
    values: TOOLS,
    types: ['service'],
    face: ['prompt', 'waiting'],
    guests: { context: ['command-output', 'reporter', 'stream'], top: ['stream'] },
  },
  settings: {
    values: [...TOOLS, 'stdout'],
    face: ['settings', 'resolve-settings', 'profile', 'token'],
    guests: {
      'commands/doctor': ['directories'],
      'commands/sandbox': ['directories'],
      context: ['defaults', 'directories', 'environment', 'store'],
      top: ['defaults'],
    },
  },
  rotation: {
    values: TOOLS,
    types: ['service'],
    face: ['sinks/sink', 'journal', 'recovery', 'expiry-check'],
    guests: {
      commands: ['current-token', 'names', 'rotate', 'sinks/parse', 'types'],
      'commands/audit-token': ['current-token', 'record'],
      tokens: ['current-token', 'names', 'record', 'types'],
    },
  },
  tokens: {
    values: [...TOOLS, 'service', 'rotation', 'people'],
    types: ['context', 'stderr', 'stdout'],
    face: [
      'which-token',
      'token-state',
      'open-rotation',
      'expiry-limits',
      'describe',
      'find-token',
      'find-which',
      'open-deletion',
      'read-tokens',
      'not-found',
    ],
    guests: { commands: ['token-service'], 'commands/audit-token': ['expiry'] },
  },
  'audit-trail': {
    values: [...TOOLS, 'service'],
    types: ['stdout'],
    face: ['follow', 'cursor', 'printer', 'exec'],
  },
  organizations: {
    values: [...TOOLS, 'service'],
    face: ['organizations', 'side-by-side', 'read-together', 'failures'],
    guests: {
      commands: ['run-job'],
      'commands/auth': ['find-organizations'],
      context: ['find-organizations'],
    },
  },
  'people-files': {
    values: TOOLS,
    face: ['read-people-file', 'people-columns', 'person-rows'],
    guests: { roster: ['parse-people-file'] },
  },
  people: {
    values: [...TOOLS, 'service', 'organizations', 'people-files'],
    face: ['directory', 'member', 'teams', 'find-members', 'asked'],
    guests: {
      commands: ['team-changes'],
      'commands/members': ['find-removals', 'select-members', 'team-changes'],
      'commands/teams': ['find-team-steps', 'team-members', 'team-changes'],
      roster: ['removal-guard', 'team-changes'],
    },
  },
  roster: {
    values: [...TOOLS, 'service', 'organizations', 'people', 'people-files'],
    types: ['stderr', 'stdout'],
    face: ['plan-roster', 'plan', 'plan-text', 'apply', 'roster-text'],
  },
  'provider-list': {
    values: [...TOOLS, 'service', 'organizations'],
    types: ['stdout'],
    face: ['plan-providers', 'plan', 'provider-list', 'provider-list-text', 'lock-file'],
  },
  publish: {
    values: [...TOOLS, 'service'],
    face: ['publish', 'read-release', 'release', 'open-pgp', 'read-versions', 'readiness'],
  },
  report: { values: [...TOOLS, 'service', 'people', 'stdout'], face: ['report', 'read-earlier', 'compare', 'count'] },
  manual: {
    values: [...TOOLS, 'settings', 'stdout', 'rotation'],
    face: ['documentation', 'topic-names'],
    guests: { 'commands/help': ['topics', 'markdown'], top: ['topics', 'man-page'] },
  },
  // A noun is a room of its own.
  commands: {
    values: [...TOOLS, ...PARTS, 'manual'],
    types: ['context', 'stderr'],
    face: ['verb', 'param', 'misuse', 'fields', 'help/layout', '*/index'],
  },
  context: {
    values: [...TOOLS, ...PARTS, 'stderr', 'sandbox'],
    face: ['context'],
    guests: { top: ['options'] },
  },
  top: { values: [...TOOLS, ...PARTS, 'stderr', 'manual', 'commands', 'context', 'sandbox'] },
  // The service itself: it shares the wire and SQLite with the client and nothing else, so that no mistake is made on both sides.
  sandbox: {
    values: ['wire', 'sqlite'],
    face: ['sandbox', 'server'],
    guests: { 'commands/sandbox': ['certificate', 'faults', 'kinds'], top: ['callers'] },
  },
};

function toRoom(path: string): string {
  const [, first = '', rest] = /^src\/([^/]+?)(\/.*|\.ts)$/.exec(path) ?? [];
  if (rest !== '.ts') return first;
  return TOP.includes(first) ? 'top' : 'ground';
}

/** Packages and the only files that may import them. */
const ADAPTERS: Readonly<Record<string, RegExp>> = {
  undici: /^src\/service\/connection\.ts$/,
  conf: /^src\/settings\/store\.ts$/,
  'proper-lockfile': /^src\/files\/write-lock\.ts$/,
  'cli-table3': /^src\/stdout\/drawing\.ts$/,
  'string-width': /^src\/(text|stdout|stderr)\//,
  '@aws-lambda-powertools/jmespath': /^src\/stdout\/query\.ts$/,
  'csv-stringify': /^src\/stdout\/formats\/csv\.ts$/,
  'csv-parse': /^src\/input\/csv\.ts$/,
  yaml: /^src\/input\/yaml\.ts$/,
  marked: /^src\/manual\/markdown\.ts$/,
  ora: /^src\/stderr\/line\.ts$/,
  chalk: /^src\/text\/style\.ts$/,
  selfsigned: /^src\/sandbox\/certificate\.ts$/,
  openpgp: /^src\/publish\/open-pgp\.ts$/,
  libsql: /^src\/sqlite\/sqlite\.ts$/,
  commander:
    /^src\/(main|program|manual\/(man-page|documentation)|commands\/(verb|param|usage|typed|misuse|fields|(help|completion|schema)\/\w+))\.ts$/,
};

/** Names alone, for `--as`: known without loading the sandbox. */
const NAMES_OF_CALLERS = 'src/sandbox/callers.ts';

/** Needed by every command; all other packages are loaded when they are used. */
const PACKAGES_AT_START = ['commander'];

/** The one file that reads process, clock, random numbers and home folder. */
const HOST = 'src/host.ts';
const RANDOM = ['randomBytes', 'randomUUID', 'randomInt'];

/** Parts of Node that act on the machine or look at it, and the only places that may import their values. */
const BUILTINS: Readonly<Record<string, readonly string[]>> = {
  'node:process': [],
  // What it requires is not seen here: SQLite alone, which is Node's own or a package.
  'node:module': ['src/sqlite/sqlite.ts'],
  'node:v8': [HOST],
  'node:vm': [HOST],
  // The sandbox is a service of its own, and has no host: its rows and its routes reach no file.
  'node:fs': [HOST, 'src/files/', 'src/sandbox/*'],
  'node:os': [HOST, 'src/files/', 'src/sandbox/companions.ts'],
  'node:tty': ['src/files/'],
  'node:child_process': ['src/subprocess/start-command.ts'],
  'node:readline': ['src/stderr/prompt.ts'],
  'node:dns': ['src/service/'],
  'node:net': ['src/service/', 'src/sandbox/'],
  'node:tls': ['src/service/', 'src/files/pem-pair.ts'],
  'node:http': ['src/service/', 'src/sandbox/'],
  'node:https': ['src/service/', 'src/sandbox/'],
};

/** What only calculates. */
const CALCULATES = /^node:(crypto|events|path|stream|string_decoder|timers|util|zlib)$/;

/** Where time may pass without the host: sockets and child processes that do not answer. */
const TIMERS = [
  HOST,
  'src/subprocess/',
  'src/sandbox/',
  'src/service/certificate.ts',
  'src/service/connection.ts',
  'src/service/inspect.ts',
];

interface Import {
  readonly specifier: string;
  readonly kind: 'static' | 'dynamic' | 'type';
  /** The imported names; empty for a whole module. */
  readonly names: readonly string[];
}

interface Module {
  readonly imports: readonly Import[];
  /** What it takes from the machine behind the host's back. */
  readonly machine: readonly string[];
}

/** Every broken rule as `file → target: why`. `files` maps a path such as `src/service/pace.ts` to its text. */
export function findForbidden(files: ReadonlyMap<string, string>): readonly string[] {
  const modules = new Map([...files].map(([path, text]) => [path, parseModule(path, text)] as const));
  return [
    ...[...modules].flatMap(([path, module]) => [
      ...module.imports.flatMap((found) => {
        const why = judge(path, found);
        return why === undefined ? [] : [`${path} → ${toTarget(path, found.specifier)}: ${why}`];
      }),
      ...(path === HOST ? [] : module.machine)
        .filter((what) => what !== TIMER || !isAt(path, TIMERS))
        .map((what) => `${path} → ${what}: only ${HOST} reads it; take a Host`),
    ]),
    ...findCircles(modules),
    ...findEarlyPackages(modules),
  ];
}

/** Faces of the table that no other room imports, or no such guest. `src` alone has them all. */
export function findIdleFaces(files: ReadonlyMap<string, string>): readonly string[] {
  const used = new Set<string>();
  for (const [path, text] of files) {
    for (const { specifier } of parseModule(path, text).imports) {
      const target = toTarget(path, specifier);
      if (!specifier.startsWith('.') || !target.startsWith('src/') || toRoom(target) === toRoom(path)) continue;
      const face = `${toRoom(target)}: ${toFace(target)}`;
      used.add(face);
      for (const guest of toGuests(path)) used.add(`${face} for ${guest}`);
    }
  }
  return Object.entries(ROOMS)
    .flatMap(([room, { face = [], guests = {} }]) => [
      ...face.map((file) => `${room}: ${file}`),
      ...Object.entries(guests).flatMap(([guest, shown]) => shown.map((file) => `${room}: ${file} for ${guest}`)),
    ])
    .filter((face) => !used.has(face));
}

function toTarget(path: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}

/** Why this import is forbidden, or undefined. */
function judge(path: string, found: Import): string | undefined {
  const target = toTarget(path, found.specifier);
  if (found.specifier.startsWith('.')) {
    return target.startsWith('src/') ? judgeModule(path, target, found.kind) : judgeOutside(target);
  }
  return found.specifier.startsWith('node:') ? judgeBuiltin(path, found) : judgePackage(path, found.specifier);
}

function judgeModule(path: string, target: string, kind: Import['kind']): string | undefined {
  const from = toRoom(path);
  const to = toRoom(target);
  if (from === 'commands' && to === 'commands') return judgeNouns(path, target);
  if (to === 'sandbox' && toNoun(path) === 'sandbox') {
    return isShown(path, target) ? undefined : 'it is not in the face of sandbox';
  }
  if (to === 'sandbox' && kind === 'static' && (from === 'context' || from === 'top') && target !== NAMES_OF_CALLERS) {
    return 'the sandbox is loaded only when it is used';
  }
  const permission = ROOMS[from];
  if (permission === undefined) return `${from} is no room of the table`;
  if (from === to) return undefined;
  const isTyped = permission.types?.includes(to) === true;
  if (!permission.values.includes(to)) {
    if (!isTyped) return `${from} may not import ${to}`;
    if (kind !== 'type') return `${from} may import only types of ${to}`;
  }
  return isShown(path, target) ? undefined : `it is not in the face of ${to}`;
}

/** Whether a file of another room is in its face, or shown to this guest. */
function isShown(path: string, target: string): boolean {
  const to = toRoom(target);
  const { face, guests = {} } = ROOMS[to] ?? {};
  if (face === undefined) return true;
  return [...face, ...toGuests(path).flatMap((guest) => guests[guest] ?? [])].includes(toFace(target));
}

/** As whom a file is a guest: its room, or its noun. */
function toGuests(path: string): readonly string[] {
  const noun = toNoun(path);
  return [noun === undefined ? toRoom(path) : `commands/${noun}`];
}

/** As the table writes it: below its room, without its ending. The index of a noun is that of any. */
function toFace(target: string): string {
  return target
    .slice('src/'.length, -'.ts'.length)
    .replace(/^[^/]+\//, '')
    .replace(/^[^/]+(?=\/index$)/, toRoom(target) === 'commands' ? '*' : '$&');
}

/** `src/commands/<noun>/` is a room of its own; files directly in commands are for every noun. */
function judgeNouns(path: string, target: string): string | undefined {
  const [from, to] = [toNoun(path), toNoun(target)];
  return to === undefined || from === to
    ? undefined
    : `${from ?? 'what all nouns share'} may not import the noun ${to}`;
}

function toNoun(path: string): string | undefined {
  return /^src\/commands\/([^/]+)\//.exec(path)?.[1];
}

function judgeOutside(target: string): string | undefined {
  return target === 'package.json' ? undefined : 'src imports nothing outside itself';
}

function judgeBuiltin(path: string, found: Import): string | undefined {
  if (found.kind === 'type') return undefined;
  const builtin = found.specifier.replace(/\/promises$/, '');
  if (builtin === 'node:crypto' && path !== HOST) {
    const isRandom = found.names.length === 0 || found.names.some((name) => RANDOM.includes(name));
    return isRandom ? `only ${HOST} reads it; take a Host` : undefined;
  }
  if (CALCULATES.test(builtin)) return undefined;
  const places = BUILTINS[builtin];
  if (places === undefined) return 'test/architecture/imports.ts does not say what it acts on';
  if (isAt(path, places)) return undefined;
  return `it acts on the machine: only ${places.length === 0 ? `${HOST} has it, by what it is given` : places.join(', ')}`;
}

/** A place is a file, a folder by the slash at its end, or the files of a folder by a star. */
function isAt(path: string, places: readonly string[]): boolean {
  return places.some((place) => {
    if (place.endsWith('*')) return posix.dirname(path) === posix.dirname(place);
    return place.endsWith('/') ? path.startsWith(place) : path === place;
  });
}

function judgePackage(path: string, specifier: string): string | undefined {
  const adapter = ADAPTERS[toPackage(specifier)];
  if (adapter === undefined) return 'the package has no adapter in test/architecture/imports.ts';
  return adapter.test(path) ? undefined : 'the package is imported in its adapter only';
}

function toPackage(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** Types count too: two modules that need each other's cannot be read one after the other. */
function findCircles(modules: ReadonlyMap<string, Module>): readonly string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) circles.push(`${[...trail.slice(start), path].join(' → ')}: a circle`);
    if (start >= 0 || done.has(path)) return;
    for (const found of modules.get(path)?.imports ?? []) {
      visit(toTarget(path, found.specifier), [...trail, path]);
    }
    done.add(path);
  };
  for (const path of modules.keys()) visit(path, []);
  return circles;
}

/** Packages that a mere start of the program would load: reached from main by static imports alone. */
function findEarlyPackages(modules: ReadonlyMap<string, Module>): readonly string[] {
  const early: string[] = [];
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { specifier, kind } of modules.get(path)?.imports ?? []) {
      if (kind !== 'static') continue;
      if (toPackage(specifier) in ADAPTERS && !PACKAGES_AT_START.includes(toPackage(specifier))) {
        early.push(`${path} → ${specifier}: loaded at every start; import() it where it is used`);
      }
      visit(toTarget(path, specifier));
    }
  };
  visit('src/main.ts');
  return early;
}

function parseModule(path: string, text: string): Module {
  const imports: Import[] = [];
  const machine: string[] = [];
  walk(parse(path, text).program, (node, parent) => {
    const found = toImport(node);
    if (found !== undefined) imports.push(found);
    const read = toMachineRead(node, parent);
    if (read !== undefined) machine.push(read);
  });
  return { imports, machine };
}

function toImport(node: Node): Import | undefined {
  const specifier = isNode(node['source']) ? node['source']['value'] : undefined;
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration': {
      if (typeof specifier !== 'string') return undefined;
      const specifiers = ((node['specifiers'] ?? []) as readonly Node[]).filter((part) => !isTypeOnly(part));
      const all = (node['specifiers'] ?? []) as readonly Node[];
      const onlyTypes = isTypeOnly(node) || (all.length > 0 && specifiers.length === 0);
      return { specifier, kind: onlyTypes ? 'type' : 'static', names: specifiers.flatMap(toImportedName) };
    }
    case 'ImportExpression':
      if (typeof specifier !== 'string') throw new Error('import() takes a literal, so that this test can follow it');
      return { specifier, kind: 'dynamic', names: [] };
    case 'TSImportType':
      return typeof specifier === 'string' ? { specifier, kind: 'type', names: [] } : undefined;
    default:
      return undefined;
  }
}

function isTypeOnly(node: Node): boolean {
  return node['importKind'] === 'type' || node['exportKind'] === 'type';
}

function toImportedName(specifier: Node): readonly string[] {
  const imported = specifier['imported'] ?? specifier['local'];
  return specifier.type === 'ImportSpecifier' && isNode(imported) ? [String(imported['name'])] : [];
}

const TIMER = 'a timer';

/** `process`, the clock, time that passes or random numbers, taken without the host. `new Date(value)` only converts. */
function toMachineRead(node: Node, parent: Node | undefined): string | undefined {
  if (node.type === 'Identifier' && node['name'] === 'process') {
    const isMember = parent?.['computed'] === false && (parent['property'] === node || parent['key'] === node);
    const isKey = isMember || (parent?.type.startsWith('TS') === true && parent['key'] === node);
    return isKey && parent?.['shorthand'] !== true ? undefined : 'process';
  }
  if (node.type === 'MemberExpression') {
    const [object, property] = [node['object'], node['property']];
    const name = `${isNode(object) ? object['name'] : ''}.${isNode(property) ? property['name'] : ''}`;
    return /^(Date\.now|performance\.now|Math\.random|crypto\.(randomUUID|getRandomValues)|globalThis\.process)$/.test(
      name,
    )
      ? name
      : undefined;
  }
  const called = node['callee'];
  if (isNode(called) && /^set(?:Timeout|Interval)$/.test(String(called['name']))) return TIMER;
  if (!isNode(called) || called['name'] !== 'Date') return undefined;
  if (node.type === 'CallExpression') return 'Date()';
  return node.type === 'NewExpression' && (node['arguments'] as readonly unknown[]).length === 0
    ? 'new Date()'
    : undefined;
}
