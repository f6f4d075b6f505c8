// Loaded before orgctl: notes each point around what it writes to stdout and below the folder that KILL_POINTS names, and
// ends it at the one that is asked for.

'use strict';
const fs = require('node:fs');
const timers = require('node:timers/promises');
const { basename, join, sep } = require('node:path');

const real = { ...fs };

/** Notes a point, and says whether orgctl is to be killed there. */
function reach(folder, name) {
  real.appendFileSync(join(folder, 'points'), `${name}\n`);
  const count = real.readFileSync(join(folder, 'points'), 'utf8').split('\n').length - 1;
  const at = real.readFileSync(join(folder, 'kill-at'), 'utf8');
  return at === String(count) || name.startsWith(at);
}

function load(folder) {
  const names = new Map([[1, 'stdout']]);
  let isBeneath = false;
  const kill = () => process.kill(process.pid, 'SIGKILL');
  const end = (name) => void (reach(folder, name) && kill());
  const isWatched = (path) => [folder, KILL_WATCH].some((top) => String(path).startsWith(top + sep));

  // Node's own functions call each other: only the outermost is a point.
  const wrap = (name, describe, part) => {
    fs[name] = (...args) => {
      const what = isBeneath ? undefined : describe(...args);
      if (what === undefined) return real[name](...args);
      isBeneath = true;
      try {
        end(`before ${name} ${what}`);
        // What another run does meanwhile must not be lost.
        if (KILL_WATCH && what.startsWith('.env.')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
        if (part !== undefined && reach(folder, `within ${name} ${what}`)) {
          part(...args);
          kill();
        }
        const result = real[name](...args);
        if (part === undefined) end(`after ${name} ${what}`);
        return result;
      } finally {
        isBeneath = false;
      }
    };
  };
  const half = (content) => content.slice(0, content.length / 2);
  const nameFile = (path) => (isWatched(path) && real.existsSync(path) ? basename(path) : undefined);
  wrap(
    'writeFileSync',
    (path) => (isWatched(path) ? basename(path) : undefined),
    (path, content, ...rest) => real.writeFileSync(path, half(content), ...rest),
  );
  wrap(
    'writeSync',
    (file) => names.get(file),
    (file, content) => real.writeSync(file, half(Buffer.from(content))),
  );
  wrap('renameSync', nameFile);
  wrap('rmSync', nameFile);
  fs.openSync = (path, ...rest) => {
    const file = real.openSync(path, ...rest);
    names.delete(file);
    if (isWatched(path)) names.set(file, basename(path));
    return file;
  };
  // Waiting is shorter: nothing that a kill could meet happens meanwhile.
  const { setTimeout } = timers;
  timers.setTimeout = (milliseconds, ...rest) => setTimeout(milliseconds / 50, ...rest);
  require('node:module').syncBuiltinESMExports();
}

module.exports = { reach };
const { KILL_POINTS, KILL_WATCH } = process.env;
for (const name of ['KILL_POINTS', 'KILL_WATCH']) delete process.env[name];
if (KILL_POINTS !== undefined) load(KILL_POINTS);
