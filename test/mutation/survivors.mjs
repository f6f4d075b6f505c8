// Mutants that no test can notice, or that none has to, each with the reason. What is not listed here must not be left.
// A line is known by its text, so that it may move; `to` names some of the mutants on it, as Stryker writes them.

const TYPES = 'the types need it; what comes before has excluded it already';
const NEVER = 'never read: what it stands in for is always there';
const NO_DATE = 'Date.parse finds no date in either text';
const NO_PERMISSIONS = 'met only on a file system without permissions, such as FAT';
const POWER = 'what is on the disk shows only when the power fails';
const NO_SYNC = 'met only where folders cannot be put on disk: Windows, some network file systems';
const NOT_ASKED = 'only the other kinds are asked for';

const SURVIVORS = {
  'src/rotation/expiry-check.ts': [
    { line: 'const secrets = held.filter((secret) => secret !== undefined);', why: TYPES },
    { line: "const isKnown = current.kind === 'found' ||", to: ['last.fingerprint'], why: TYPES },
    { line: "const end = Date.parse(expiredAt ?? '');", why: NO_DATE },
    { line: "const start = Date.parse(createdAt ?? '');", why: NO_DATE },
    { line: 'const lifetime = Date.parse(', why: NO_DATE },
  ],
  'src/rotation/create-token.ts': [
    {
      line: 'return creator !== undefined && ours.includes(creator);',
      to: ['true'],
      why: `${TYPES}: no list of ids holds undefined`,
    },
  ],
  'src/rotation/previous-run.ts': [
    { line: "if (open.phase === 'preflight') return { kind: 'none' };", to: ['{}', '""'], why: NOT_ASKED },
    { line: "? { kind: 'none' }", why: NOT_ASKED },
    { line: "open.before === undefined ? { kind: 'unknown' } :", to: ['{}', '""'], why: NOT_ASKED },
    {
      line: "if (kept === undefined || kept === 'damaged') return { kind: 'none' };",
      to: ['{}', '""'],
      why: NOT_ASKED,
    },
    { line: 'const unjudged = (open.doubtful ?? [])', why: 'there is no file by that name' },
    { line: "return { kind: 'none' };", to: ['{}', '""'], why: NOT_ASKED },
    { line: 'if (facts === undefined || !isOurs)', to: ['false'], why: TYPES },
    { line: "const passed = now() - Date.parse(mintingSince ?? '');", to: ['"Stryker was here!"'], why: NO_DATE },
    ...[
      '} catch (error) {',
      '.path}, which an earlier rotation left, cannot be removed`, {',
      'reasons: [toReason(error)],',
      "hint: 'Let this user change its folder, and run this again. Nothing was sent.',",
    ].map((line) => ({ line, why: 'tested where the user is not root, whom no folder keeps from removing' })),
  ],
  'src/rotation/rotate.ts': [
    {
      line: "return { needed: true, why: 'it was asked for' }",
      to: ['""'],
      why: 'shown only where there was a condition',
    },
    {
      line: "if (state.open === undefined) throw new Error('there is no open rotation');",
      to: ['false', '""'],
      why: TYPES,
    },
    {
      line: "return current.kind === 'found' ? current.facts : undefined;",
      to: ['true'],
      why: 'the others have no facts',
    },
  ],
  'src/files/permissions.ts': [
    { line: 'export const HAS_PERMISSIONS =', why: 'false on Windows alone' },
    { line: 'return HAS_PERMISSIONS &&', to: [/^true/], why: 'true but on Windows' },
  ],
  'src/files/durable-file.ts': [
    { line: 'if (parent !== folder) makeFolder(parent);', to: ['true'], why: 'the root is missing on Windows alone' },
    {
      line: 'if (existsSync(folder)) return;',
      to: ['false'],
      why: 'making it says the same, as for one that another process made meanwhile',
    },
    {
      line: "if (toErrorCode(error) !== 'EEXIST') throw error;",
      why: 'met only where another process makes it meanwhile',
    },
    { line: 'if (isOpenToOthers(fstatSync(file).mode))', to: ['false'], why: NO_PERMISSIONS },
    { line: 'lets others read every file`', why: NO_PERMISSIONS },
    { line: 'const CANNOT_SYNC_FOLDERS =', why: NO_SYNC },
    { line: 'if (!CANNOT_SYNC_FOLDERS.includes(', to: ['true'], why: NO_SYNC },
    { line: 'try {', to: ['{}'], why: POWER },
  ],
  'src/rotation/recovery.ts': [
    { line: 'readPlainFile(path, MOST_BYTES)?.bytes', why: 'met only where another process removes it meanwhile' },
    { line: 'return names', to: [/filter/], why: 'the folder may give them in order by itself' },
    {
      line: "if (at < 0 || lines[at + 1] !== '{') {",
      to: ['at <= 0'],
      why: 'no token is empty',
    },
    {
      line: "if (at < 0 || lines[at + 1] !== '{') {",
      to: ['false'],
      why: 'what begins with no brace is no object either',
    },
    { line: '} catch {', to: ['{}'], why: 'what follows says the same of undefined' },
    {
      line: 'const isWhole =',
      to: [/&& true$|^true$/],
      why: 'one that is no text is not the one of the secret either',
    },
  ],
  'src/service/pages.ts': [
    { line: 'if (limit !== undefined &&', to: ['true'], why: `${TYPES}: nothing is as much as undefined` },
  ],
  'src/service/page-reading.ts': [
    { line: 'if (limit !== undefined &&', to: ['true'], why: `${TYPES}: nothing is as much as undefined` },
    { line: 'if (read === undefined) return;', to: ['false'], why: TYPES },
    {
      line: 'return page.items.length > 0 && page.items.length === full ?',
      to: ['true', 'page.items.length >= 0'],
      why: 'a full page is not empty: a size of 0 is never asked for',
    },
    { line: 'if (next !== undefined && next <= number)', to: ['true'], why: TYPES },
    ...['named += 1;', 'if (named > 0 || page.items.length === 0) return;'].map((line) => ({
      line,
      why: 'a page whose ids are new, and an empty one, which comes but last, is never there twice as a whole',
    })),
  ],
  'src/rotation/journal.ts': [
    { line: 'const isForeign = HAS_PERMISSIONS &&', to: ['true'], why: 'true but on Windows' },
    { line: "if (typeof version !== 'number' ||", to: ['false'], why: TYPES },
    { line: 'createHash(', to: ['""'], why: 'there is no such hash, so that no test is even found' },
    { line: '/^\\d{4}-\\d\\d-', to: [/^\/\^?\\d/], why: NO_DATE },
    { line: 'checks[member]?.(value[member])', to: ['checks[member](value[member])'], why: TYPES },
  ],
  'src/rotation/lock.ts': [
    ...[
      "const [reason = ''] = toReason(error)",
      'throw new UsageError(`libsql, which locks a rotation, cannot be loaded',
      'reasons: [reason],',
      "hint: 'Install orgctl again, with optional dependencies,",
    ].map((line) => ({ line, why: 'met in a process of its own, where libsql cannot be loaded' })),
    {
      line: '} catch (error) {',
      to: ['{}'],
      why: 'of loading libsql: met in a process of its own; of making the file: looking at it fails in its stead',
    },
    { line: 'return true;', to: ['false'], why: 'correcting what was just made changes nothing' },
    {
      line: "if (toErrorCode(error) === 'EEXIST') return false;",
      to: ['true'],
      why: 'the file is missing then, and looking at it fails in its stead',
    },
    {
      line: 'if (HAS_PERMISSIONS && (status.mode & 0o777) !== PRIVATE_FILE_MODE)',
      to: ['true', /\|\|/],
      why: 'a mode that is right already is set again',
    },
    { line: 'if (status.size === 0) return;', to: ['false'], why: 'what is empty is emptied' },
    { line: 'return (path) => new SqliteDatabase(path, {', to: ['{}'], why: 'it is the default of libsql, too' },
    {
      line: 'if (database !== undefined) closeQuietly(database);',
      to: ['true'],
      why: 'closing nothing fails, quietly',
    },
    { line: "toErrorCode(error).startsWith('SQLITE_BUSY')", to: [/endsWith/], why: 'met as SQLITE_BUSY alone' },
    { line: 'if (!/^SQLITE_(IOERR|PROTOCOL|NOLFS)/', to: [/^\/SQLITE/], why: 'every code of SQLite begins like that' },
    { line: '...(pid === undefined ? {} : { pid }),', to: ['false'], why: 'JSON leaves out what is undefined' },
    { line: 'file === undefined ? undefined : JSON.parse(', to: ['false'], why: `${TYPES}, or fails to the same end` },
    { line: 'if (!isObject(value)) return undefined;', to: ['false'], why: 'what is no object has no texts either' },
    { line: "return typeof pid === 'number' && Number.isSafeInteger(pid)", to: ['true', /\|\|/], why: TYPES },
    { line: '} catch {', to: ['{}'], why: 'it is undefined without a word, too' },
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
      why: 'it keeps the list short; what lies further back is not read',
    },
    { line: 'if (text !== undefined &&', to: ['true'], why: TYPES },
  ],
  'src/settings/resolve-settings.ts': [
    { line: "const text = readVariable(env, source) ?? '';", why: NEVER },
    {
      line: 'return proxy.replace(',
      to: [/^\/\(\[/],
      why: 'what is behind the scheme is anything, so it begins at the first character all the same',
    },
  ],
  'src/settings/terraform-credentials.ts': [
    { line: 'const path = variable === undefined ?', to: ['"Stryker was here!"'], why: NEVER },
    { line: 'if (path === undefined || file === undefined)', to: ['false', 'file === undefined'], why: TYPES },
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
