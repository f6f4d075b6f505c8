import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import { createFolder } from '../support/files.ts';
import { startService } from '../support/service.ts';
import { type Ended, ORGCTL, ROOT, type Running, start } from '../support/shipped.ts';

export type Values = Record<string, string>;
export type Workshop = Awaited<ReturnType<typeof openWorkshop>>;

export interface Step {
  name?: string;
  if?: string;
  run?: string | undefined;
  env?: Values;
}

/** Notes what it is called with, and keeps and prints its input, as a careless program does. */
const PROGRAM = `#!/bin/sh
{ echo "\${0##*/} $*"; env; } >> "$0.calls"
case " $* " in *' show '* | *' list '*) exec cat "$0.stored" ;; esac
tee "$0.stored"
[ ! -e "$0.fails" ] || { rm "$0.fails"; exit 1; }
`;
const CURL = `#!/bin/sh
echo "curl $*" >> "$0.calls"
PATH=\${PATH#*:} exec curl "$@"
`;
// Only the minute between two readings is shorter.
const FOLLOWING = `#!/bin/sh
[ "$1 $2" != 'audit-trail follow' ] || set -- "$@" --interval 1s
exec '${process.execPath}' '${ORGCTL}' "$@"
`;

export const getRecipePath = (name: string): string => join(ROOT, 'src', 'help', 'recipes', name);
export const readRecipe = (name: string): string => readFileSync(getRecipePath(name), 'utf8');

/** A machine to run recipes on: orgctl, the sandbox, and programs that stand in for those that recipes call. */
export async function openWorkshop() {
  const service = await startService({ now: Date.now });
  const folder = createFolder();
  const at = (path: string): string => join(folder, path);
  for (const name of ['bin', 'tmp', 'home']) mkdirSync(at(name));
  for (const name of ['vault', 'aws', 'az', 'kubectl', 'gh', 'glab', 'npm']) {
    writeFileSync(at(`bin/${name}`), PROGRAM, { mode: 0o755 });
  }
  writeFileSync(at('bin/curl'), CURL, { mode: 0o755 });
  writeFileSync(at('bin/orgctl'), FOLLOWING, { mode: 0o755 });
  const owner = service.sandbox.tokenFor('owner', 'acme') ?? '';
  const orgctlPackage = at('orgctl.tgz');
  writeFileSync(orgctlPackage, 'package');
  const env: Values = {
    ORGCTL_PACKAGE: orgctlPackage,
    ORGCTL_SHA256: createHash('sha256').update('package').digest('hex'),
    PATH: `${at('bin')}:${process.env.PATH}`,
    HOME: at('home'),
    TMPDIR: at('tmp'),
    TZ: 'UTC',
    NODE_DISABLE_COMPILE_CACHE: '1',
    ORGCTL_BASE_URL: service.url,
    ORGCTL_ORG: 'acme',
    ORGCTL_TOKEN: owner,
  };
  const run = (command: string, argv: string[], more: Values = {}): Running =>
    start(command, argv, { env: { ...env, ...more }, cwd: at('tmp') });
  const write = (name: string, text: string): string => {
    writeFileSync(at(name), text);
    return at(name);
  };
  return {
    ...{ service, folder, at, env, owner, run, write },
    recipe: (name: string, more: Values = {}, ...argv: string[]) =>
      run('sh', [getRecipePath(name), ...argv], more).ended,
    /** Runs the steps of a job in bash until one fails; those that always run follow. `fill` puts in what `env` asks for. */
    async runSteps(steps: Step[], more: Values, fill: (text: string) => string = (text) => text) {
      let last: Ended = { code: 0, stdout: '', stderr: '' };
      for (const step of steps) {
        if (step.run === undefined || (last.code !== 0 && step.if !== 'always()')) continue;
        const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text)]));
        const file = write('step.sh', step.run);
        const argv = ['--noprofile', '--norc', '-eo', 'pipefail', file];
        const { code, stdout, stderr } = await run('bash', argv, { ...more, ...own }).ended;
        last = { code: last.code || code, stdout: last.stdout + stdout, stderr: last.stderr + stderr };
      }
      return last;
    },
    failOnce: (name: string) => write(`bin/${name}.fails`, ''),
    readCalls: (name: string) =>
      existsSync(at(`bin/${name}.calls`)) ? readFileSync(at(`bin/${name}.calls`), 'utf8') : '',
    /** Expects that the program has the token in force, that one was made, and that it is nowhere else. */
    expectStored(name: string, ended: Ended): void {
      expect(ended.code, ended.stderr).toBe(0);
      const secret = service.secretOf() ?? '';
      expect(readFileSync(at(`bin/${name}.stored`), 'utf8')).toBe(secret);
      expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
      expect(ended.stdout + ended.stderr).not.toContain(secret);
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(at);
      const holding = files.filter((path) => statSync(path).isFile() && readFileSync(path).includes(secret));
      expect(holding.map((path) => relative(folder, path))).toEqual([`bin/${name}.stored`]);
    },
  };
}

/** Throws for a name without a value. */
export function fillIn(text: string, pattern: RegExp, values: Values): string {
  return text.replace(pattern, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nothing is known of ${name}`);
    return value;
  });
}
