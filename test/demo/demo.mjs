// Shows orgctl at work in its sandbox: real commands, over real HTTP, at this terminal.
// Everything it makes lies in a temporary folder, which it removes.

import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { openPlace, STEPS } from './steps.mjs';

const colour = process.stdout.isTTY === true && !process.env['NO_COLOR'];
const bold = (text) => (colour ? `\u001b[1m${text}\u001b[22m` : text);
const { home, env, remove } = openPlace();
const environment = { ...env, TERM: process.env['TERM'], ...(colour ? {} : { NO_COLOR: '1' }) };

let failures = 0;
try {
  say('orgctl in its sandbox: the service itself, built in. No account, no network.');
  say('The organization is acme, and you are an owner of it.\n');
  for (const { says, line, ends = 0 } of STEPS) {
    say(bold(says));
    say(bold(`$ ${line}`));
    const { status } = spawnSync('sh', ['-c', line], { cwd: home, env: environment, stdio: 'inherit' });
    if (status !== 0) say(`(exit ${status})`);
    say('');
    if (status !== ends) failures += 1;
  }
} finally {
  remove();
}

if (failures > 0) {
  say(`${failures} of these did not end as expected.`);
  process.exitCode = 1;
} else {
  say(bold('Your turn:'));
  say('  npm link                           puts orgctl on your path (or: alias orgctl="node $PWD/bin/orgctl.cjs")');
  say('  orgctl --sandbox members list      the same sandbox, its data kept between commands');
  say('  orgctl --help                      everything there is; README.md has more');
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
