// Loaded before orgctl: notes everything it does to files, or ends it at a counted point. Before and after each operation
// is a point of its own. `ORGCTL_FILE_POINTS` says which: {"at": 17, "note": "/path"}; without `at` nothing is ended.
// {"write": 3, "percent": 40} ends it within the third write, once so much of it is written; with `stdout` that is a file too.

'use strict';
const fs = require('node:fs');
const promises = require('node:fs/promises');

const { at, note, write, percent, stdout } = JSON.parse(process.env.ORGCTL_FILE_POINTS);
delete process.env.ORGCTL_FILE_POINTS;
const real = { openSync: fs.openSync, writeSync: fs.writeSync, existsSync: fs.existsSync };
const log = real.openSync(note, 'a');
const paths = new Map(stdout === true ? [[1, 'stdout']] : []);
let points = 0;
let writes = 0;
let isBeneath = false;

const SYNC_OF_PATHS = ['mkdir', 'mkdtemp', 'rmdir', 'rename', 'unlink', 'rm', 'chmod', 'link', 'symlink', 'copyFile'];
const OF_FILES = ['write', 'writev', 'writeFile', 'appendFile', 'ftruncate', 'fchmod', 'fsync', 'fdatasync', 'close'];
const OF_HANDLES = ['write', 'writev', 'writeFile', 'appendFile', 'truncate', 'chmod', 'sync', 'datasync', 'close'];
const WRITES = new Set(['write', 'writev', 'writeFile', 'appendFile']);

function say(entry) {
  real.writeSync(log, `${JSON.stringify(entry)}\n`);
}

function reach(what) {
  points += 1;
  if (points !== at) return;
  say({ ...what, killed: points });
  process.kill(process.pid, 'SIGKILL');
}

/** Ends the process within a write, if that is where. */
function reachWithin(what, fd, [content, second, third]) {
  if (write === undefined || !WRITES.has(what.name)) return;
  writes += 1;
  if (writes !== write) return;
  const pieces = (Array.isArray(content) ? content : [content]).map((piece) =>
    typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength),
  );
  const [offset, length] = typeof second === 'object' ? [second?.offset, second?.length] : [second, third];
  const isPart = what.name === 'write' && typeof content !== 'string';
  const whole = isPart
    ? pieces[0].subarray(offset ?? 0, (offset ?? 0) + (length ?? pieces[0].length))
    : Buffer.concat(pieces);
  real.writeSync(fd, whole, 0, Math.floor((whole.length * percent) / 100));
  say({ ...what, when: 'within', killed: points });
  process.kill(process.pid, 'SIGKILL');
}

function isReading(name, flags) {
  if (name !== 'open') return false;
  return flags === undefined || flags === 'r' || (typeof flags === 'number' && (flags & 3) === 0);
}

/** What is noted of an operation; undefined for one that changes nothing. */
function describe(name, args) {
  const [file, second, third] = args;
  if (isReading(name, second)) return undefined;
  const path = typeof file === 'number' ? paths.get(file) : String(file);
  // Pipes and the terminal are no files.
  if (path === undefined) return undefined;
  if (name === 'open') return { name, path, isNew: !real.existsSync(path), mode: third };
  if (name === 'mkdir') {
    return { name, path, isNew: !real.existsSync(path), mode: typeof second === 'object' ? second?.mode : second };
  }
  if (name === 'chmod' || name === 'fchmod') return { name, path, mode: second };
  if (name === 'rename') return { name, path, to: String(second) };
  return { name, path };
}

function before(what) {
  say(what);
  reach({ ...what, when: 'before' });
}

function after(what) {
  say({ ...what, done: true });
  reach({ ...what, when: 'after' });
}

// Node's own functions call each other: only the outermost is counted.
function wrapSync(name) {
  const original = fs[`${name}Sync`];
  fs[`${name}Sync`] = (...args) => {
    const what = isBeneath ? undefined : describe(name, args);
    if (what !== undefined) before(what);
    if (what !== undefined && typeof args[0] === 'number') reachWithin(what, args[0], args.slice(1));
    const wasBeneath = isBeneath;
    isBeneath = true;
    let result;
    try {
      result = original(...args);
    } finally {
      isBeneath = wasBeneath;
    }
    if (name === 'open') paths.set(result, String(args[0]));
    if (what !== undefined) after(what);
    return result;
  };
}

function wrapCallback(name) {
  const original = fs[name];
  fs[name] = (...args) => {
    const done = args.pop();
    const what = isBeneath ? undefined : describe(name, args);
    if (what !== undefined) before(what);
    if (what !== undefined && typeof args[0] === 'number') reachWithin(what, args[0], args.slice(1));
    original(...args, (error, result) => {
      if (name === 'open' && !error) paths.set(result, String(args[0]));
      if (what !== undefined && !error) after(what);
      done(error, result);
    });
  };
}

function wrapPromise(name) {
  const original = promises[name];
  promises[name] = async (...args) => {
    const what = describe(name, args);
    if (what !== undefined) before(what);
    const result = await original(...args);
    if (name === 'open') wrapHandle(result, String(args[0]));
    if (what !== undefined) after(what);
    return result;
  };
}

function wrapHandle(handle, path) {
  for (const name of OF_HANDLES) {
    const original = handle[name];
    handle[name] = async (...args) => {
      const what = name === 'chmod' ? { name, path, mode: args[0] } : { name, path };
      before(what);
      reachWithin(what, handle.fd, args);
      const result = await original.apply(handle, args);
      after(what);
      return result;
    };
  }
}

for (const name of ['open', ...SYNC_OF_PATHS, ...OF_FILES]) {
  wrapSync(name);
  wrapCallback(name);
}
for (const name of ['open', ...SYNC_OF_PATHS, 'writeFile', 'appendFile']) wrapPromise(name);
