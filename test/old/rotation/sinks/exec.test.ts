import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OrgctlError, UsageError } from '../../../../src/old/errors.ts';
import { createExecSink } from '../../../../src/old/rotation/sinks/exec.ts';
import { type SinkSurroundings, shortenName } from '../../../../src/old/rotation/sinks/sink.ts';
import type { CommandLimits } from '../../../../src/old/subprocess/run-command.ts';
import { createFolder, failure } from '../../../support/files.ts';
import { createSurroundings, listAll, SECRET } from './surroundings.ts';

const LIMITS: CommandLimits = { time: 20_000, grace: 5_000, drain: 1_000, quiet: 20_000, patience: 100 };

/** Delivers to a script in a folder of its own, run by Node. `source` may read the secret as `secret`. */
async function deliverTo(
  source: string,
  options: {
    readonly folder?: string;
    readonly limits?: Partial<CommandLimits>;
    readonly secret?: string;
    readonly isAlone?: boolean;
    readonly overrides?: Partial<SinkSurroundings>;
  } = {},
) {
  const folder = options.folder ?? createFolder();
  writeFileSync(join(folder, 'tool.cjs'), source.replace('SECRET', "require('node:fs').readFileSync(0, 'utf8')"));
  const surroundings = createSurroundings({ cwd: folder, ...options.overrides });
  const command = `'${process.execPath}' tool.cjs`;
  const limits = { ...LIMITS, ...options.limits };
  const sink = createExecSink(`exec:${command}`, command, surroundings, options.isAlone === true, limits);
  const prepared = await sink.prepare('u');
  const error = await failure(prepared.deliver(options.secret ?? SECRET));
  await prepared.discard();
  return { error, surroundings };
}

/** A promise, and what fulfils it. */
function createSignal() {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

const reason = (error: unknown): string | undefined => (error as OrgctlError).reasons[0];

describe('a command', () => {
  it('gets the secret on stdin, whole, without a newline, and then the end', async () => {
    const folder = createFolder();
    for (const secret of [SECRET, 'a\nb', 'é'.repeat(500_000)]) {
      const { error } = await deliverTo(`require('node:fs').writeFileSync('taken', SECRET)`, { folder, secret });
      expect(error).toBeUndefined();
      expect(readFileSync(join(folder, 'taken'), 'utf8')).toBe(secret);
    }
  });

  it.skipIf(process.platform !== 'linux')('never has it in its arguments or its environment', async () => {
    const folder = createFolder();
    const { error } = await deliverTo(
      `const fs = require('node:fs');
       const secret = SECRET;
       const parent = '/proc/' + process.ppid;
       fs.writeFileSync('seen', ['/proc/self', parent].flatMap((of) => [of + '/cmdline', of + '/environ'])
         .map((path) => fs.readFileSync(path, 'latin1')).join('\\n'));
       fs.writeFileSync('taken', secret);`,
      { folder, overrides: { env: { PATH: process.env['PATH'], VAULT_TOKEN: 'vault-token' } } },
    );
    expect(error).toBeUndefined();
    expect(readFileSync(join(folder, 'taken'), 'utf8')).toBe(SECRET);
    const seen = readFileSync(join(folder, 'seen'), 'latin1');
    expect(seen).toContain('tool.cjs');
    expect(seen).toContain('VAULT_TOKEN=vault-token');
    for (const form of [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString('base64').slice(0, 20)]) {
      expect(seen).not.toContain(form);
    }
  });

  it('gets our environment but for our own credentials', async () => {
    const folder = createFolder();
    const theirs = { VAULT_TOKEN: 'v', GITHUB_TOKEN: 'g', ORGCTL_ORG: 'acme', TFE_HOSTNAME: 'h' };
    const ours = { ORGCTL_TOKEN: 'ours', TFE_TOKEN: 'ours', TF_TOKEN_app_terraform_io: 'ours' };
    const overrides = { env: { PATH: process.env['PATH'], ...theirs, ...ours } };
    await deliverTo(`require('node:fs').writeFileSync('env', JSON.stringify(process.env))`, { folder, overrides });
    const found = JSON.parse(readFileSync(join(folder, 'env'), 'utf8')) as Record<string, string>;
    expect(found).toMatchObject(theirs);
    expect(JSON.stringify(found)).not.toContain('ours');
    expect(Object.keys(found).filter((name) => /^(ORGCTL_TOKEN|TFE_TOKEN|TF_TOKEN_.*)$/.test(name))).toEqual([]);
  });

  it('is run without a shell', async () => {
    const folder = createFolder();
    const surroundings = createSurroundings({ cwd: folder });
    // A command that ends before it was given the secret did not get it.
    const take = 'const fs = require("node:fs"); fs.readFileSync(0);';
    const script = `${take} fs.writeFileSync("args", JSON.stringify(process.argv.slice(1)))`;
    const command = `'${process.execPath}' -e '${script}' '$HOME' ';' "a b" '*' ''`;
    const sink = createExecSink(`exec:${command}`, command, surroundings, false, LIMITS);
    await (await sink.prepare('u')).deliver(SECRET);
    expect(JSON.parse(readFileSync(join(folder, 'args'), 'utf8'))).toEqual(['$HOME', ';', 'a b', '*', '']);
  });
});

describe('what a command prints', () => {
  it('goes to stderr by lines, from both of its streams', async () => {
    const { error, surroundings } = await deliverTo(
      `process.stdout.write('stored\\r\\nversion 2'); process.stderr.write('careful\\n')`,
    );
    expect(error).toBeUndefined();
    expect(surroundings.stderr().split('\n').sort()).toEqual(['', 'careful', 'stored', 'version 2']);
    expect(surroundings.stdout()).toBe('');
  });

  it.each([
    ['as it is', 'secret'],
    ['in JSON', 'JSON.stringify({ secret })'],
    ['in a URL', 'encodeURIComponent(secret)'],
    ['in base64', `Buffer.from(secret).toString('base64')`],
    ['in base64url', `Buffer.from(secret).toString('base64url')`],
    ['as basic authorization', `Buffer.from('user:' + secret).toString('base64')`],
    ['between escape sequences', `secret.slice(0, 9) + '\\u001b[31m' + secret.slice(9)`],
  ])('has the secret removed %s, also when it comes in two pieces', async (_title, expression) => {
    const { error, surroundings } = await deliverTo(
      `const secret = SECRET;
       const text = ${expression};
       const half = text.length >> 1;
       process.stdout.write('got ' + text + ' once\\n');
       process.stderr.write('again ' + text.slice(0, half), () =>
         setTimeout(() => process.stderr.write(text.slice(half) + '\\n'), 50));`,
    );
    expect(error).toBeUndefined();
    const shown = surroundings.stderr();
    expect(shown).toContain('got ');
    expect(shown).toContain(' once\n');
    expect(shown.match(/\[removed\]/g)).toHaveLength(2);
    const [plain, basic] = [SECRET, `user:${SECRET}`].map((text) => Buffer.from(text).toString('base64'));
    for (const part of [SECRET, plain ?? '', basic ?? '']) {
      for (let at = 8; at + 12 < part.length; at += 4) expect(shown).not.toContain(part.slice(at, at + 12));
    }
  });

  it('is shown after a while although it may go on as the secret', async () => {
    const folder = createFolder();
    const shown = createSignal();
    const delivered = deliverTo(
      `const secret = SECRET;
       process.stdout.write('Waiting for ' + secret[0] + '\\n');
       const { existsSync } = require('node:fs');
       const timer = setInterval(() => existsSync('go') && clearInterval(timer), 20);`,
      {
        folder,
        limits: { quiet: 10 },
        overrides: {
          async showCommandOutput(text) {
            expect(text).toBe('Waiting for A\n');
            shown.give();
          },
        },
      },
    );
    await shown.given;
    writeFileSync(join(folder, 'go'), '');
    expect((await delivered).error).toBeUndefined();
  });

  it('does not reach a terminal as it is', async () => {
    const { surroundings } = await deliverTo(
      `process.stdout.write('a\\u001b]0;title\\u0007b\\u001b[2Jc\\u0008\\u202ed\\rnext\\n')`,
    );
    expect(surroundings.stderr()).toBe('abcd next\n');
  });

  it('does not fill the memory when a line never ends', async () => {
    const pieces: number[] = [];
    const showCommandOutput = async (text: string): Promise<void> => {
      pieces.push(text.length);
      expect(text).not.toContain(SECRET);
    };
    const { error } = await deliverTo(
      `const secret = SECRET; process.stdout.write('x'.repeat(1_000_000) + secret + 'x'.repeat(1_000_000));`,
      { overrides: { showCommandOutput } },
    );
    expect(error).toBeUndefined();
    expect(Math.max(...pieces)).toBeLessThan(300_000);
    expect(pieces.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(2_000_000);
  });

  it('is not needed: our stderr may be closed', async () => {
    const folder = createFolder();
    const overrides = { showCommandOutput: () => Promise.reject(new Error('closed')) };
    const script = `require('node:fs').writeFileSync('taken', SECRET); console.log('stored')`;
    const { error } = await deliverTo(script, { folder, overrides });
    expect(error).toBeUndefined();
    expect(readFileSync(join(folder, 'taken'), 'utf8')).toBe(SECRET);
  });
});

describe('a command that fails', () => {
  it('has not got the secret, and says so without it', async () => {
    const { error, surroundings } = await deliverTo(
      `const secret = SECRET; console.error('denied: ' + secret); process.exitCode = 3;`,
    );
    expect(error).toBeInstanceOf(OrgctlError);
    expect(error).toMatchObject({
      exit: 'not-delivered',
      message: `not delivered to ${shortenName(`exec:'${process.execPath}' tool.cjs`)}`,
      reasons: ['exit code 3'],
    });
    expect(surroundings.stderr()).toBe('denied: [removed]\n');
    expect(JSON.stringify([error, String(error)])).not.toContain(SECRET);
  });

  it.skipIf(process.platform === 'win32')('by a signal is named with it', async () => {
    const { error } = await deliverTo(`process.kill(process.pid, 'SIGABRT')`);
    expect(reason(error)).toBe('ended by SIGABRT');
  });

  it('by not taking the whole secret has not got it, although it exits with 0', async () => {
    const { error } = await deliverTo(`process.stdin.once('data', () => process.exit(0))`, {
      secret: 'x'.repeat(5_000_000),
    });
    expect(reason(error)).toBe('ended before it read the whole token');
  });

  it('by being gone since it was found', async () => {
    const folder = createFolder();
    const tool = join(folder, 'tool');
    writeFileSync(tool, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const sink = createExecSink('exec:./tool', './tool', createSurroundings({ cwd: folder }), false);
    const prepared = await sink.prepare('u');
    rmSync(tool);
    const error = await failure(prepared.deliver(SECRET));
    expect(error).toMatchObject({ exit: 'not-delivered' });
    expect(reason(error)).toMatch(/^not started: .*ENOENT/);
  });
});

describe.skipIf(process.platform === 'win32')('a command that does not wait for the end of its input', () => {
  // It ends at once, however long that takes here.
  const limits = { patience: 20_000 };

  it('counts as one that has the secret, with a warning where no other place has it', async () => {
    for (const isAlone of [true, false]) {
      const { error, surroundings } = await deliverTo('', { isAlone, limits });
      expect(error).toBeUndefined();
      const warning = expect.stringMatching(
        / did not wait for the end of the token: check that it has read it, because no other place has it$/,
      );
      expect(surroundings.warnings()).toEqual(isAlone ? [warning] : []);
    }
  });

  it('is none where it takes all', async () => {
    const { error, surroundings } = await deliverTo('SECRET', { isAlone: true, limits: { patience: 1 } });
    expect(error).toBeUndefined();
    expect(surroundings.warnings()).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a command that takes too long', () => {
  it('is asked to end', async () => {
    const folder = createFolder();
    const { error } = await deliverTo(
      `process.on('SIGTERM', () => { require('node:fs').writeFileSync('asked', ''); process.exit(0); });
       setTimeout(() => {}, 20_000);`,
      { folder, limits: { time: 1_000 } },
    );
    expect(reason(error)).toBe('stopped after 1 s');
    expect(readdirSync(folder).sort()).toEqual(['asked', 'tool.cjs']);
  });

  it('is killed when it does not, with all it has started', async () => {
    const folder = createFolder();
    const { error } = await deliverTo(
      `const { spawn } = require('node:child_process');
       process.on('SIGTERM', () => {});
       const child = spawn('sh', ['-c', 'trap "" TERM; for i in $(seq 400); do sleep 0.05; done'], { stdio: 'inherit' });
       require('node:fs').writeFileSync('pids', process.pid + ' ' + child.pid);
       setTimeout(() => {}, 20_000);`,
      { folder, limits: { time: 1_000, grace: 200 } },
    );
    expect(reason(error)).toBe('stopped after 1 s');
    for (const pid of readFileSync(join(folder, 'pids'), 'utf8').split(' ')) {
      // Gone, or dead and not yet collected.
      expect(spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout).toMatch(/^(?:Z.*\n)?$/);
    }
  });
});

describe.skipIf(process.platform === 'win32')('a command that leaves something running', () => {
  it('is not waited for beyond its own end, nor is that killed', async () => {
    const folder = createFolder();
    const appeared = createSignal();
    const watcher = watch(folder, (_event, name) => {
      if (name === 'later') appeared.give();
    });
    const { error, surroundings } = await deliverTo(
      `require('node:child_process').spawn('sh', ['-c', 'trap "" PIPE; for i in $(seq 400); do [ -e go ] && break; sleep 0.05; done; : > later'],
         { stdio: 'inherit', detached: false }).unref();
       console.log('stored');`,
      { folder, limits: { drain: 100 } },
    );
    expect(error).toBeUndefined();
    expect(surroundings.stderr()).toBe('stored\n');
    writeFileSync(join(folder, 'go'), '');
    await appeared.given;
    watcher.close();
  });
});

describe('before there is a secret', () => {
  it('a command is looked for and not run', async () => {
    const folder = createFolder();
    const tool = join(folder, 'tool');
    writeFileSync(tool, '#!/bin/sh\n: > ran\n');
    chmodSync(tool, 0o755);
    const before = listAll(folder);
    const surroundings = createSurroundings({ cwd: folder });
    const sink = createExecSink(`exec:${tool} x`, `${tool} x`, surroundings, false);
    await sink.check();
    expect(await sink.temporaries('u')).toEqual([]);
    expect(await sink.read()).toBeUndefined();
    await (await sink.prepare('u')).discard();
    expect(listAll(folder)).toEqual(before);
    expect(surroundings.stderr()).toBe('');
  });

  it('one that is missing is refused', async () => {
    const sink = createExecSink('exec:none-such x', 'none-such x', createSurroundings(), false);
    for (const act of [() => sink.check(), () => sink.prepare('u')]) {
      const error = await failure(act());
      expect(error).toBeInstanceOf(UsageError);
      expect(error).toMatchObject({ message: 'exec:none-such x: no command none-such in PATH' });
    }
  });
});
