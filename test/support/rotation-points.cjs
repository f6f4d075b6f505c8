// Loaded before orgctl it ends it at a counted or named point, and notes each point: around all that it writes below `state`
// and `places`. As a program it is the command of an `exec:` place, which stores its stdin. Both get the folder of the trial.

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
  return at === String(count) || (at !== '' && name.startsWith(at));
}

/** `P+S(at-1)`: what a state has. The empty text for nothing, and for half a file. */
function summarize(text) {
  try {
    const { pending, sent, delivered, retiring = [] } = JSON.parse(text);
    const parts = [
      delivered && 'delivered',
      pending && 'P',
      sent && (sent.description === undefined ? `S(${sent.before})` : 'S'),
      retiring.length > 0 && `retiring ${retiring.length}`,
    ];
    return parts.filter(Boolean).join('+') || 'nothing';
  } catch {
    return '';
  }
}

function load(folder) {
  const failing = join(folder, 'failing-state');
  const watched = ['state', 'places'].map((name) => join(folder, name) + sep);
  const end = (name) => {
    if (reach(folder, name)) process.kill(process.pid, 'SIGKILL');
  };
  const refuse = (content) => {
    if (!real.existsSync(failing) || !String(content).includes(real.readFileSync(failing, 'utf8'))) return;
    throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
  };

  for (const name of ['writeFileSync', 'renameSync', 'rmSync']) {
    fs[name] = (path, second, ...rest) => {
      const isNothing = name !== 'writeFileSync' && !real.existsSync(path);
      if (isNothing || !watched.some((start) => path.startsWith(start))) return real[name](path, second, ...rest);
      const what = `${name} ${basename(path)}`;
      end(`before ${what}`);
      if (name === 'writeFileSync') {
        refuse(second);
        if (second.length > 1 && reach(folder, `within ${what}`)) {
          real.writeFileSync(path, second.slice(0, second.length / 2), ...rest);
          process.kill(process.pid, 'SIGKILL');
        }
      }
      real[name](path, second, ...rest);
      if (name !== 'renameSync') return;
      const isState = basename(second) === 'rotation.json';
      end(isState ? `saved ${summarize(real.readFileSync(second, 'utf8'))}` : `after ${what}`);
    };
  }
  // What can't be replaced is written in place.
  fs.writeSync = (file, content, ...rest) => {
    refuse(content);
    return real.writeSync(file, content, ...rest);
  };
  // Waiting is shorter: nothing that a kill could meet happens meanwhile.
  const { setTimeout } = timers;
  timers.setTimeout = (milliseconds, ...rest) => setTimeout(milliseconds / 50, ...rest);
  require('node:module').syncBuiltinESMExports();
}

function store(folder) {
  fs.appendFileSync(join(folder, 'witness'), JSON.stringify([process.argv, process.env]));
  const end = (name) => {
    if (!reach(folder, name)) return;
    process.kill(process.ppid, 'SIGKILL');
    process.exit(1);
  };
  end('before exec');
  if (fs.existsSync(join(folder, 'failing-exec'))) process.exit(1);
  fs.writeFileSync(join(folder, 'places', 'stored'), fs.readFileSync(0, 'utf8'));
  end('after exec');
}

module.exports = { reach, summarize };
if (require.main === module) {
  store(process.argv[2]);
} else if (process.env.ROTATION_TRIAL !== undefined) {
  load(process.env.ROTATION_TRIAL);
  delete process.env.ROTATION_TRIAL;
}
