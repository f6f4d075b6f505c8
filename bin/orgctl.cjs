#!/usr/bin/env node
// Written so that any Node, however old, can read it as far as the version check.
'use strict';

var version = process.versions.node.split('.').map(Number);
var fs = require('fs');
var path = require('path');
var tty = require('tty');

if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  process.stderr.write('orgctl needs Node.js 20.19 or newer; this is ' + process.version + '.\n');
  process.exitCode = 1;
} else if (!fs.existsSync(path.join(__dirname, '..', 'dist', 'main.cjs'))) {
  process.stderr.write('orgctl has not been built yet. Run npm run build in ' + path.dirname(__dirname) + '.\n');
  process.exitCode = 1;
} else if (process.argv.length === 3 && process.argv[2] === '--version') {
  // Answered here, since everything else takes longer to load than this takes to do.
  process.exitCode = printVersion();
} else {
  open();
}

function printVersion() {
  try {
    fs.writeSync(1, require('../package.json').version + '\n');
    return 0;
  } catch (error) {
    if (error.code === 'EPIPE') return 0;
    process.stderr.write('orgctl: the version could not be written (' + error.code + ')\n');
    return 1;
  }
}

function open() {
  // Node 22.1 and newer keep compiled code between runs; in older ones the function is missing. Who names a folder with
  // NODE_COMPILE_CACHE has Node use it already.
  var enableCompileCache = require('module').enableCompileCache;
  var env = process.env;
  var folder;
  if (enableCompileCache && !env.NODE_COMPILE_CACHE && !env.NODE_DISABLE_COMPILE_CACHE) {
    folder = provideCacheFolder();
    if (folder) enableCompileCache(folder);
  }
  // V8 of Node 20 optimises undici's parser of answers after some of them: the process can't end before that is done, and
  // it takes 27 MiB.
  if (process.versions.v8.startsWith('11.')) require('v8').setFlagsFromString('--liftoff-only');
  process.once('exit', leaveTerminal);
  var orgctl = require('../dist/main.cjs');
  orgctl.main(process.argv.slice(2), orgctl.createRuntime(process)).then((code) => {
    process.exitCode = code;
    // After a signal nothing is waited for, such as a reader that takes nothing.
    if (code > 128) process.exit();
  });
}

// At its end Node sets the terminals of its streams back to what they were at its start, unless they are closed. In a pipe
// the terminal belongs to a pager by then, which would no longer hear single keys.
function leaveTerminal() {
  if (tty.isatty(1)) return;
  if (tty.isatty(0)) fs.closeSync(0);
  if (tty.isatty(2)) fs.closeSync(2);
}

// Compiled code is run as it is found. So it is kept in a folder of this user alone, or nowhere: the folder that Node
// would take is below the one for temporary files, which users share.
function provideCacheFolder() {
  var home = findCacheHome();
  var folder = path.join(home, 'orgctl');
  var found;
  if (!path.isAbsolute(home)) return undefined;
  try {
    makeFolder(home);
    makeFolder(folder);
    found = fs.lstatSync(folder);
  } catch (_error) {
    // Without it orgctl only starts more slowly.
    return undefined;
  }
  // Windows has no such modes: what is below LOCALAPPDATA is its user's.
  if (process.platform === 'win32') return folder;
  return found.isDirectory() && found.uid === process.geteuid() && (found.mode & 0o077) === 0 ? folder : undefined;
}

// A relative path in XDG_CACHE_HOME is to be ignored, by the XDG specification.
function findCacheHome() {
  var env = process.env;
  var home = env.HOME || '';
  if (process.platform === 'win32') return env.LOCALAPPDATA || '';
  if (process.platform === 'darwin') return path.join(home, 'Library', 'Caches');
  return path.isAbsolute(env.XDG_CACHE_HOME || '') ? env.XDG_CACHE_HOME : path.join(home, '.cache');
}

function makeFolder(folder) {
  try {
    fs.mkdirSync(folder, 0o700);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}
