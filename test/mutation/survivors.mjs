// Mutants that no test can notice, or that none has to, each with the reason. What is not listed here must not be left.
// A row is a part of the line, so that it may move, the reason, and where not all, the mutants on it as Stryker writes them.

const TYPES = 'the types need it; what comes before has excluded it already';
const NEVER = 'never read: what it stands in for is always there';
const NO_DATE = 'Date.parse finds no date in either text';
const NO_PERMISSIONS = 'met only on a file system without permissions, such as FAT';
const POWER = 'what is on the disk shows only when the power fails';
const NO_SYNC = 'met only where folders cannot be put on disk: Windows, some network file systems';
const NOT_ASKED = 'only the other kinds are asked for';

const SURVIVORS = {
  'src/rotation/expiry-check.ts': [
    ['const secrets = held.filter((secret) => secret !== undefined);', TYPES],
    ["const isKnown = current.kind === 'found' ||", TYPES, ['last.fingerprint']],
    ["const end = Date.parse(expiredAt ?? '');", NO_DATE],
    ["const start = Date.parse(createdAt ?? '');", NO_DATE],
    ['const lifetime = Date.parse(', NO_DATE],
  ],
  'src/rotation/create-token.ts': [
    ['return creator !== undefined && ours.includes(creator);', `${TYPES}: no list of ids holds undefined`, ['true']],
  ],
  'src/rotation/previous-run.ts': [
    ["if (open.phase === 'preflight') return { kind: 'none' };", NOT_ASKED, ['{}', '""']],
    ["? { kind: 'none' }", NOT_ASKED],
    ["open.before === undefined ? { kind: 'unknown' } :", NOT_ASKED, ['{}', '""']],
    ["if (kept === undefined || kept === 'damaged') return { kind: 'none' };", NOT_ASKED, ['{}', '""']],
    ['const unjudged = (open.doubtful ?? [])', 'there is no file by that name'],
    ["return { kind: 'none' };", NOT_ASKED, ['{}', '""']],
    ['if (facts === undefined || !isOurs)', TYPES, ['false']],
    ["const passed = now() - Date.parse(mintingSince ?? '');", NO_DATE, ['"Stryker was here!"']],
    ...[
      '} catch (error) {',
      '.path}, which an earlier rotation left, cannot be removed`, {',
      'reasons: [toReason(error)],',
      "hint: 'Let this user change its folder, and run this again. Nothing was sent.',",
    ].map((line) => [line, 'tested where the user is not root, whom no folder keeps from removing']),
  ],
  'src/rotation/rotate.ts': [
    ["return { needed: true, why: 'it was asked for' }", 'shown only where there was a condition', ['""']],
    ["if (state.open === undefined) throw new Error('there is no open rotation');", TYPES, ['false', '""']],
    ["return current.kind === 'found' ? current.facts : undefined;", 'the others have no facts', ['true']],
  ],
  'src/files/permissions.ts': [
    ['export const HAS_PERMISSIONS =', 'false on Windows alone'],
    ['return HAS_PERMISSIONS &&', 'true but on Windows', [/^true/]],
  ],
  'src/files/durable-file.ts': [
    ['if (parent !== folder) makeFolder(parent);', 'the root is missing on Windows alone', ['true']],
    [
      'if (isThere(folder)) return;',
      'making it says the same, as for one that another process made meanwhile',
      ['false'],
    ],
    ["if (toErrorCode(error) !== 'EEXIST') throw error;", 'met only where another process makes it meanwhile'],
    ['if (isOpenToOthers(fstatSync(file).mode))', NO_PERMISSIONS, ['false']],
    ['lets others read every file`', NO_PERMISSIONS],
    ['const CANNOT_SYNC_FOLDERS =', NO_SYNC],
    ['if (!CANNOT_SYNC_FOLDERS.includes(', NO_SYNC, ['true']],
    ['try {', POWER, ['{}']],
  ],
  'src/rotation/recovery.ts': [
    ['readFileIfAny(path, OWN)?.bytes', 'met only where another process removes it meanwhile'],
    ['return names', 'the folder may give them in order by itself', [/filter/]],
    ["if (at < 0 || lines[at + 1] !== '{') {", 'no token is empty', ['at <= 0']],
    ["if (at < 0 || lines[at + 1] !== '{') {", 'what begins with no brace is no object either', ['false']],
    ['} catch {', 'what follows says the same of undefined', ['{}']],
    ['const isWhole =', 'one that is no text is not the one of the secret either', [/&& true$|^true$/]],
  ],
  'src/service/pages.ts': [['if (limit !== undefined &&', `${TYPES}: nothing is as much as undefined`, ['true']]],
  'src/service/page-reading.ts': [
    ['if (limit !== undefined &&', `${TYPES}: nothing is as much as undefined`, ['true']],
    ['if (read === undefined) return;', TYPES, ['false']],
    [
      'return page.items.length > 0 && page.items.length === full ?',
      'a full page is not empty: a size of 0 is never asked for',
      ['true', 'page.items.length >= 0'],
    ],
    ['if (next !== undefined && next <= number)', TYPES, ['true']],
    ...['named += 1;', 'if (named > 0 || page.items.length === 0) return;'].map((line) => [
      line,
      'a page whose ids are new, and an empty one, which comes but last, is never there twice as a whole',
    ]),
  ],
  'src/rotation/journal.ts': [
    ['const isForeign = HAS_PERMISSIONS &&', 'true but on Windows', ['true']],
    ["if (typeof version !== 'number' ||", TYPES, ['false']],
    ['createHash(', 'there is no such hash, so that no test is even found', ['""']],
    ['/^\\d{4}-\\d\\d-', NO_DATE, [/^\/\^?\\d/]],
    ['checks[member]?.(value[member])', TYPES, ['checks[member](value[member])']],
  ],
  'src/files/process-lock.ts': [
    ...[
      "const [reason = ''] = toReason(error)",
      'throw new UsageError(`libsql, which locks a rotation, cannot be loaded',
      'reasons: [reason],',
      "hint: 'Install orgctl again, with optional dependencies,",
    ].map((line) => [line, 'met in a process of its own, where libsql cannot be loaded']),
    [
      '} catch (error) {',
      'of loading libsql: met in a process of its own; of making the file: looking at it fails in its stead',
      ['{}'],
    ],
    ['return true;', 'correcting what was just made changes nothing', ['false']],
    [
      "if (toErrorCode(error) === 'EEXIST') return false;",
      'the file is missing then, and looking at it fails in its stead',
      ['true'],
    ],
    [
      'if (HAS_PERMISSIONS && (status.mode & 0o777) !== PRIVATE_FILE_MODE)',
      'a mode that is right already is set again',
      ['true', /\|\|/],
    ],
    ['if (status.size > 0) fillPrivateFile(', 'what is empty is emptied', ['true', 'status.size >= 0']],
    ['return (path) => new SqliteDatabase(path, {', 'it is the default of libsql, too', ['{}']],
    ['if (database !== undefined) closeQuietly(database);', 'closing nothing fails, quietly', ['true']],
    ["toErrorCode(error).startsWith('SQLITE_BUSY')", 'met as SQLITE_BUSY alone', [/endsWith/]],
    ['if (!/^SQLITE_(IOERR|PROTOCOL|NOLFS)/', 'every code of SQLite begins like that', [/^\/SQLITE/]],
    ['...(pid === undefined ? {} : { pid }),', 'JSON leaves out what is undefined', ['false']],
    ['if (!isObject(value)) return undefined;', 'what is no object has no texts either', ['false']],
    ["return typeof pid === 'number' && Number.isSafeInteger(pid)", TYPES, ['true', /\|\|/]],
    ['} catch {', 'it is undefined without a word, too', ['{}']],
  ],
  'src/service/retry.ts': [
    ['if (seconds !== undefined || text === undefined ||', TYPES, ['false', /^seconds/]],
    ['return text !== undefined &&', TYPES, ['true']],
  ],
  'src/service/pace.ts': [
    [
      'const last = departures[departures.length - 1]?.at ?? 0;',
      'the last departure is still to come only where a timer wakes a millisecond early',
      ['departures.length + 1'],
    ],
    [
      'departures = [...departures, made].slice(-limit);',
      'it keeps the list short; what lies further back is not read',
      ['[...departures, made]'],
    ],
    ['if (text !== undefined &&', TYPES, ['true']],
  ],
  'src/settings/resolve-settings.ts': [
    ["const text = readVariable(env, source) ?? '';", NEVER],
    [
      'return proxy.replace(',
      'what is behind the scheme is anything, so it begins at the first character all the same',
      [/^\/\(\[/],
    ],
  ],
  'src/settings/terraform-credentials.ts': [
    ['const path = variable === undefined ?', NEVER, ['"Stryker was here!"']],
    ['if (path === undefined || file === undefined)', TYPES, ['false', 'file === undefined']],
    [': { credentials: undefined };', 'what is no object is refused before its credentials are looked at', ['{}']],
    [
      "return (platform === 'win32' ? win32 : posix).resolve(cwd, path);",
      'tells on Windows alone, where such a path can be opened',
    ],
  ],
};

/** Why this mutant may be left; undefined where it may not. */
export function explain({ file, line, to }) {
  const known = SURVIVORS[file]?.find(
    ([part, , some]) =>
      line.includes(part) && (some ?? [to]).some((text) => (text instanceof RegExp ? text.test(to) : text === to)),
  );
  return known?.[1];
}
