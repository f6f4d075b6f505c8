#!/usr/bin/env node
// Any Node, however old, must be able to parse this file and reach the version check.
'use strict';

var version = process.versions.node.split('.').map(Number);
var fs = require('fs');
var path = require('path');
var tty = require('tty');

if (!isSince(20, 19)) {
  process.stderr.write('orgctl needs Node.js 20.19 or newer; this is ' + process.version + '.\n');
  process.exitCode = 1;
} else if (!fs.existsSync(path.join(__dirname, '..', 'dist', 'main.cjs'))) {
  process.stderr.write('orgctl has not been built yet. Run npm run build in ' + path.dirname(__dirname) + '.\n');
  process.exitCode = 1;
} else if (process.argv.length === 3 && process.argv[2] === '--version') {
  // Loading the rest would take longer than printing the version.
  process.exitCode = printVersion();
} else {
  open();
}

function isSince(major, minor) {
  return version[0] > major || (version[0] === major && version[1] >= minor);
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
  var env = process.env;
  var folder;
  // Node before 22.1 keeps no compiled code. With NODE_COMPILE_CACHE Node uses that folder by itself.
  if (isSince(22, 1) && !env.NODE_COMPILE_CACHE && !env.NODE_DISABLE_COMPILE_CACHE) {
    folder = provideCacheFolder();
    if (folder) require('module').enableCompileCache(folder);
  }
  process.once('exit', leaveTerminal);
  var orgctl = require('../dist/main.cjs');
  orgctl.main(process.argv.slice(2), orgctl.createRuntime(process)).then((code) => {
    process.exitCode = code;
    // After a signal the process must not wait for a reader that takes nothing.
    if (code > 128) process.exit();
  });
}

// At its end Node restores the mode of terminals that are open. In a pipe a pager owns the terminal by then, and would lose
// its single-key mode.
function leaveTerminal() {
  if (tty.isatty(1)) return;
  if (tty.isatty(0)) fs.closeSync(0);
  if (tty.isatty(2)) fs.closeSync(2);
}

// Node runs cached code unchecked, so the folder must belong to this user alone. Node's default is in the shared temporary
// folder.
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
    // Without a cache orgctl only starts more slowly.
    return undefined;
  }
  // Windows has no modes, and LOCALAPPDATA belongs to its user.
  if (process.platform === 'win32') return folder;
  return found.isDirectory() && found.uid === process.geteuid() && (found.mode & 0o077) === 0 ? folder : undefined;
}

// The XDG specification ignores a relative path.
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
