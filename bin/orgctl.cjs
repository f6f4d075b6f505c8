#!/usr/bin/env node
// Written so that any Node, however old, can read it as far as the version check.
'use strict';

var version = process.versions.node.split('.').map(Number);
var fs = require('fs');
var path = require('path');

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
  // Node 22.1 and newer keep compiled code between runs; in older ones the function is missing.
  var enableCompileCache = require('module').enableCompileCache;
  if (enableCompileCache) enableCompileCache();
  var orgctl = require('../dist/main.cjs');
  orgctl.main(process.argv.slice(2), orgctl.createHost(process)).then((code) => {
    process.exitCode = code;
  });
}
