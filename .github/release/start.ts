// What the executable does when it is started; bin/orgctl.cjs does it for the package.
import process from 'node:process';
import { createRuntime, main } from '../../src/main.ts';

main(process.argv.slice(2), createRuntime(process)).then((code) => {
  process.exitCode = code;
});
