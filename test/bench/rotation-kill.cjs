// Loaded before orgctl by the kill matrix: ends the process, cuts a write, or makes the file system fail, at a counted
// operation. Before and after each operation is a point of its own. `ORGCTL_MATRIX` says which, and where to note it.

'use strict';
const fs = require('node:fs');
const promises = require('node:fs/promises');
const path = require('node:path');

const { mode, at, span = 0, code = 'ENOSPC', note } = JSON.parse(process.env.ORGCTL_MATRIX);
delete process.env.ORGCTL_MATRIX;
const real = { openSync: fs.openSync, writeSync: fs.writeSync, closeSync: fs.closeSync };
let points = 0;
let operations = 0;

const SYNC = ['openSync', 'writeSync', 'writeFileSync', 'fsyncSync', 'ftruncateSync', 'renameSync', 'unlinkSync'];
const MORE_SYNC = ['mkdirSync', 'chmodSync', 'closeSync'];
const HANDLE = ['write', 'sync', 'truncate', 'chmod', 'chown'];
// A full or broken disk refuses these; closing and removing go on.
const REFUSED = new Set([
  'openSync',
  'writeSync',
  'writeFileSync',
  'fsyncSync',
  'ftruncateSync',
  'renameSync',
  'mkdirSync',
]);
const REFUSED_LATER = new Set(['open', 'rename', 'write', 'sync', 'truncate']);
const isReading = (flags) => flags === 'r' || flags === undefined || (typeof flags === 'number' && (flags & 3) === 0);

function say(text) {
  const file = real.openSync(note, 'a');
  real.writeSync(file, `${text}\n`);
  real.closeSync(file);
}

function die(name, when) {
  say(`${when} ${name}`);
  process.kill(process.pid, 'SIGKILL');
}

function reach(name, when) {
  points += 1;
  if (mode === 'kill' && points === at) die(name, when);
}

/** The bytes of a write that is to be cut here, or undefined. */
function toCut(name, content) {
  if (mode !== 'torn' || operations < at || !/^write/.test(name)) return undefined;
  const bytes = Buffer.from(content);
  return bytes.subarray(0, Math.floor((bytes.length * span) / 100));
}

function toFailure(name, refused) {
  if (mode !== 'fail' || operations < at || operations >= at + span || !refused) return undefined;
  say(`${code} ${name}`);
  return Object.assign(new Error(`${code}: injected, ${name}`), { code, syscall: name });
}

/** What a file is called in every run: the how-manieth of its name it is, too, since the journal is written again and again. */
const seen = new Map();
const files = new Map();
const handles = new WeakMap();
function toName(file) {
  return path
    .basename(String(file))
    .replace(/[0-9a-f]{16,}/, '*')
    .replace(/^http.*/, 'of the service');
}
function numbered(file) {
  const name = toName(file);
  seen.set(name, (seen.get(name) ?? 0) + 1);
  return `${name} ${seen.get(name)}`;
}

for (const name of [...SYNC, ...MORE_SYNC]) {
  const original = fs[name];
  fs[name] = (...args) => {
    operations += 1;
    const file =
      name === 'openSync' ? numbered(args[0]) : typeof args[0] === 'number' ? files.get(args[0]) : toName(args[0]);
    const what = `${name} ${file}`;
    reach(what, 'before');
    const cut = /^write/.test(name) && typeof args[0] === 'number' ? toCut(name, args[1]) : undefined;
    if (cut !== undefined) {
      real.writeSync(args[0], cut);
      die(what, 'within');
    }
    const failure = toFailure(what, REFUSED.has(name) && !(name === 'openSync' && isReading(args[1])));
    if (failure !== undefined) throw failure;
    const result = original(...args);
    if (name === 'openSync') files.set(result, file);
    reach(what, 'after');
    return result;
  };
}

function wrap(target, name, toFile, isHarmless) {
  const original = target[name];
  target[name] = async function (...args) {
    operations += 1;
    const file = toFile(args, this);
    const what = `${name} ${file}`;
    reach(what, 'before');
    const cut = name === 'write' ? toCut(name, toBytes(args)) : undefined;
    if (cut !== undefined) {
      real.writeSync(this.fd, cut, 0, cut.length, args[3] ?? null);
      die(what, 'within');
    }
    const failure = toFailure(what, REFUSED_LATER.has(name) && !isHarmless(args));
    if (failure !== undefined) throw failure;
    const result = await original.apply(this, args);
    if (name === 'open') handles.set(result, file);
    reach(what, 'after');
    return result;
  };
}

function toBytes([content, offset = 0, length = content.length - offset]) {
  return content.subarray(offset, offset + length);
}

const never = () => false;
wrap(promises, 'rename', ([, to]) => toName(to), never);
wrap(promises, 'rm', ([file]) => toName(file), never);
wrap(
  promises,
  'open',
  ([file]) => numbered(file),
  ([, flags]) => isReading(flags),
);

// The class of handles is not exported: it is that of the first one.
const { open } = promises;
let isPatched = false;
promises.open = async (...args) => {
  const handle = await open(...args);
  if (isPatched) return handle;
  isPatched = true;
  for (const name of HANDLE) wrap(Object.getPrototypeOf(handle), name, (_args, own) => handles.get(own), never);
  return handle;
};
