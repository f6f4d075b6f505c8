// Mutants that no test can notice, or that none has to, each with the reason. What is not listed here must not be left.
// A line is known by its text, so that it may move; `to` names some of the mutants on it, as Stryker writes them.

const TYPES = 'the types need it; what comes before has excluded it already';
const NEVER = 'never read: what it stands in for is always there';
const NO_DATE = 'Date.parse finds no date in either text';
const NOBODY_ASKS = 'only the other kinds are asked for';

const SURVIVORS = {
  'src/rotation/due.ts': [
    { line: 'const secrets = held.filter((secret) => secret !== undefined);', why: TYPES },
    { line: "const isKnown = present.kind === 'found' ||", to: ['last.fingerprint'], why: TYPES },
    { line: "const end = Date.parse(expiredAt ?? '');", why: NO_DATE },
    { line: "const start = Date.parse(createdAt ?? '');", why: NO_DATE },
    { line: 'const lifetime = Date.parse(', why: NO_DATE },
  ],
  'src/rotation/mint.ts': [
    {
      line: 'return creator !== undefined && ours.includes(creator);',
      to: ['true'],
      why: `${TYPES}: no list of ids holds undefined`,
    },
  ],
  'src/rotation/former.ts': [
    { line: "if (open.phase === 'preflight') return { kind: 'none' };", to: ['{}', '""'], why: NOBODY_ASKS },
    { line: "? { kind: 'none' }", why: NOBODY_ASKS },
    { line: "open.before === undefined ? { kind: 'untold' } :", to: ['{}', '""'], why: NOBODY_ASKS },
    {
      line: "if (kept === undefined || kept === 'damaged') return { kind: 'none' };",
      to: ['{}', '""'],
      why: NOBODY_ASKS,
    },
    { line: "return { kind: 'none' };", to: ['{}', '""'], why: NOBODY_ASKS },
    { line: 'if (facts === undefined || !isOfHere)', to: ['false'], why: TYPES },
    { line: "const passed = now() - Date.parse(mintingSince ?? '');", to: ['"Stryker was here!"'], why: NO_DATE },
    ...[
      '} catch (error) {',
      '.path}, which an earlier rotation left, cannot be removed`, {',
      'reasons: [toReason(error)],',
      "hint: 'Let this user change its folder, and run this again. Nothing was sent.',",
    ].map((line) => ({ line, why: 'tested where the user is not root, whom no folder keeps from removing' })),
  ],
  'src/rotation/lock.ts': [
    {
      line: "if (toCode(error) === 'EEXIST') return false;",
      to: ['true'],
      why: 'the file is missing then, and looking at it fails in its stead',
    },
    { line: 'return (path) => new SqliteDatabase(path, {', to: ['{}'], why: 'it is the default of libsql, too' },
    { line: 'reasons: [reason],', why: 'met in a process of its own, where libsql cannot be loaded' },
    { line: 'if (!isObject(value)) return undefined;', to: ['false'], why: 'what is no object has no texts either' },
  ],
  'src/service/retry.ts': [
    { line: 'if (seconds !== undefined || text === undefined ||', to: ['false', /^seconds/], why: TYPES },
    { line: 'return text !== undefined &&', to: ['true'], why: TYPES },
  ],
  'src/service/pace.ts': [
    {
      line: 'const last = departures[departures.length - 1]?.at ?? 0;',
      to: ['departures.length + 1'],
      why: 'the last departure is still to come only where a timer wakes a millisecond early',
    },
    {
      line: 'departures = [...departures, made].slice(-limit);',
      to: ['[...departures, made]'],
      why: 'it keeps the list short; nobody looks further back',
    },
    { line: 'if (text !== undefined &&', to: ['true'], why: TYPES },
  ],
  'src/service/redact.ts': [
    { line: 'export function redactBody(', to: ['["Stryker was here"]'], why: 'no body holds that text' },
    {
      line: 'const beginnings = forms.flatMap(',
      to: ['["Stryker was here"]'],
      why: 'no text holds that one',
    },
    { line: 'return Array.from(body.matchAll(NAMED),', to: ['"Stryker was here!"'], why: NEVER },
    {
      line: 'beginning: length > least ?',
      to: ['true', 'length >= least'],
      why: 'of a short secret the whole is looked for first, and is the same',
    },
    {
      line: 'if (/^[A-Za-z0-9]$/.test(character)) return character;',
      to: ['false'],
      why: 'would find letters that are escaped, too, with a pattern many times as long',
    },
    {
      line: 'if (/^[A-Za-z0-9]$/.test(character)) return character;',
      to: [/^\/.*\/$/],
      why: 'it is one character, so where it begins and ends says nothing',
    },
    {
      line: '|#x0*',
      to: ['false'],
      why: 'would find &undefined;, too',
    },
    {
      line: 'const gap = index > 0 &&',
      to: ['true'],
      why: 'would find what is broken elsewhere, too',
    },
  ],
  'src/settings/resolve.ts': [
    { line: "const text = readVariable(env, source) ?? '';", why: NEVER },
    {
      line: 'return proxy.replace(',
      to: [/^\/\(\[/],
      why: 'what is behind the scheme is anything, so it begins at the first character all the same',
    },
    { line: "hint: 'Give one of them.'", why: 'words' },
  ],
  'src/settings/terraform-credentials.ts': [
    { line: 'const path = variable === undefined ?', to: ['"Stryker was here!"'], why: NEVER },
    { line: 'if (path === undefined || text === undefined)', to: ['false', 'text === undefined'], why: TYPES },
    {
      line: ': { credentials: undefined };',
      to: ['{}'],
      why: 'what is no object is refused before its credentials are looked at',
    },
    {
      line: "return (platform === 'win32' ? win32 : posix).resolve(cwd, path);",
      why: 'tells on Windows alone, where such a path can be opened',
    },
  ],
  'src/settings/private-file.ts': [{ line: "const { code = 'unknown error' } =", why: NEVER }],
};

/** Why this mutant may be left; undefined where it may not. */
export function explain({ file, line, to }) {
  const known = SURVIVORS[file]?.find(
    (one) =>
      line.includes(one.line) &&
      (one.to === undefined || one.to.some((text) => (text instanceof RegExp ? text.test(to) : text === to))),
  );
  return known?.why;
}
