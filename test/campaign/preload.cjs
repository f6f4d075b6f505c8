// Loaded before orgctl: notes on descriptor 3 what it does to files, and ends it at a counted point or within a write. Before
// and after each operation is a point of its own. `ORGCTL_FILE_POINTS` says which, in the words of `kill.ts`. Commands that
// orgctl starts have the descriptor too: it closes when the last one is over.

'use strict';
const children = require('node:child_process');
const fs = require('node:fs');
const promises = require('node:fs/promises');

const plan = JSON.parse(process.env.ORGCTL_FILE_POINTS);
delete process.env.ORGCTL_FILE_POINTS;
const NOTES = 3;
const real = { writeSync: fs.writeSync, existsSync: fs.existsSync, spawn: children.spawn };
const paths = new Map(plan.stdout === true ? [[1, 'stdout']] : []);
let [points, operations, writes] = [0, 0, 0];
let isBeneath = false;

const OF_PATHS = ['mkdir', 'mkdtemp', 'rmdir', 'rename', 'unlink', 'rm', 'chmod', 'link', 'symlink', 'copyFile'];
const WRITES = ['write', 'writev', 'writeFile', 'appendFile'];
const OF_FILES = [...WRITES, 'ftruncate', 'fchmod', 'fsync', 'fdatasync', 'close'];
const OF_HANDLES = [...WRITES, 'truncate', 'chmod', 'chown', 'sync', 'datasync', 'close'];

function note(entry) {
  real.writeSync(NOTES, `${JSON.stringify(entry)}\n`);
}

function end(what, when) {
  note({ ...what, when });
  process.kill(process.pid, 'SIGKILL');
}

function reach(what, when) {
  points += 1;
  if (points === plan.at) end(what, when);
}

/** What is noted of an operation; undefined for one that is not counted. */
function describe(kind, name, [file, second, third], path = typeof file === 'number' ? paths.get(file) : String(file)) {
  const isReading = name === 'open' && ((second ?? 'r') === 'r' || (typeof second === 'number' && (second & 3) === 0));
  const what = { kind, name, path, ...(name === 'rename' ? { to: String(second) } : {}) };
  // Pipes and the terminal are no files.
  if (isReading || path === undefined) return undefined;
  if (name === 'open') return { ...what, isNew: !real.existsSync(path), mode: third };
  if (name === 'mkdir') return { ...what, isNew: !real.existsSync(path), mode: second?.mode ?? second };
  if (name === 'chmod' || name === 'fchmod') return { ...what, mode: kind === 'handle' ? file : second };
  return what;
}

function before(what, fd, content) {
  operations += 1;
  note(what);
  reach(what, 'before');
  if (fd !== undefined && WRITES.includes(what.name)) cut(what, fd, content);
}

function after(what) {
  note({ ...what, done: true });
  reach(what, 'after');
}

/** Ends the process within a write, if that is where. */
function cut(what, fd, [content, second, third, position]) {
  writes += 1;
  if (writes !== plan.write && !(operations >= plan.tear)) return;
  const pieces = (Array.isArray(content) ? content : [content]).map((piece) =>
    typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength),
  );
  const [offset = 0, length] = typeof second === 'object' ? [second?.offset, second?.length] : [second, third];
  const isPart = what.name === 'write' && typeof content !== 'string';
  const whole = isPart ? pieces[0].subarray(offset, length && offset + length) : Buffer.concat(pieces);
  real.writeSync(fd, whole, 0, Math.floor((whole.length * plan.percent) / 100), position ?? null);
  end(what, 'within');
}

// Node's own functions call each other: only the outermost is counted.
function wrapSync(name) {
  const original = fs[`${name}Sync`];
  fs[`${name}Sync`] = (...args) => {
    const what = isBeneath ? undefined : describe('sync', name, args);
    if (what !== undefined) before(what, typeof args[0] === 'number' ? args[0] : undefined, args.slice(1));
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
    const what = isBeneath ? undefined : describe('callback', name, args);
    if (what !== undefined) before(what, typeof args[0] === 'number' ? args[0] : undefined, args.slice(1));
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
    const what = describe('promise', name, args);
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
      const what = describe('handle', name, args, path);
      if (what !== undefined) before(what, handle.fd, args);
      const result = await original.apply(handle, args);
      if (what !== undefined) after(what);
      return result;
    };
  }
}

for (const name of ['open', ...OF_PATHS, ...OF_FILES]) {
  wrapSync(name);
  wrapCallback(name);
}
for (const name of ['open', ...OF_PATHS, 'writeFile', 'appendFile']) wrapPromise(name);

children.spawn = (command, args, options) =>
  real.spawn(command, args, { ...options, stdio: [...options.stdio, NOTES] });
