import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toLockPlace } from '../../src/old/rotation/journal.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { createFolder } from '../support/files.ts';
import { takeLock } from '../support/lock.ts';
import { failed, type RunOptions, toText } from '../support/run.ts';
import { type ServiceOptions, startService } from '../support/service.ts';

const EXPIRY = '2027-02-19T09:00:00.000Z';

async function start(options: Partial<SandboxOptions> & ServiceOptions = {}) {
  const service = await startService(options);
  const home = createFolder();
  const read = (name: string): string | undefined =>
    existsSync(join(home, name)) ? readFileSync(join(home, name), 'utf8') : undefined;
  const stateOf = (name: string) => join(home, 'state', encodeURIComponent(new URL(service.url).origin), name);
  return {
    ...service,
    home,
    read,
    stateOf,
    posts: () =>
      service.requests.filter(({ method }) => method === 'POST').map(({ path }) => path.split('/')[4] ?? path),
    /** The words after `rotate --expires 90d`, as one line. */
    async rotate(line: string, run: RunOptions = {}) {
      const argv = ['audit-token', 'rotate', '--expires', '90d', ...line.split(' ')];
      const result = await service.run(argv, { home, ...run });
      const shorten = (text: string): string => text.replaceAll(home, '~').replace(/sha256:[0-9a-f]{16}/g, 'SHA');
      return { ...result, stdout: shorten(result.stdout), stderr: shorten(result.stderr) };
    },
  };
}

const TO = '--to file:{org}.token';

/** Makes a file with a second name. */
const link =
  (file: string, other: string, make: (target: string, path: string) => void = symlinkSync) =>
  (home: string): void => {
    writeFileSync(join(home, file), '');
    make(join(home, file), join(home, other));
  };

describe('what is refused before anything is sent', () => {
  test.each([
    [
      '--all-orgs --yes --to file:./token',
      'file:./token has no {org}: every organization would use the same place',
      'Write {org} where the name of the organization belongs.',
    ],
    [
      '--all-orgs --yes --to file:./{org} --to env-file:.env#TOKEN',
      'env-file:.env#TOKEN has no {org}: every organization would use the same place',
      'Write {org} where the name of the organization belongs.',
    ],
    [
      '--orgs acme --yes --to stdout',
      'stdout takes the token of one organization, not of several',
      'Give each a place of its own: --to file:./{org}/audit-token',
    ],
    ['--all-orgs --yes --to file:./{org} --to file:{org}', "'file:a' and 'file:./a' are the same place", ''],
    ['--org acme --create-missing --to file:./token', '--create-missing works only with --orgs or --all-orgs', ''],
    ['--all-orgs --org acme --to file:./{org}', 'use --org or --all-orgs, not both', ''],
  ])('%s', async (line, message, hint) => {
    const { rotate, requests } = await start();
    const { code, stdout, stderr } = await rotate(line);
    const [first, second] = stderr.split('\n');
    expect({ code, stdout, requests }).toEqual({ code: 2, stdout: '', requests: [] });
    if (message.includes('same place') && message.startsWith("'")) expect(first).toContain('are the same place');
    else expect(first).toBe(`orgctl: ${message}`);
    if (hint !== '') expect(second).toBe(`  → ${hint}`);
  });

  test('a place that two organizations would share', async () => {
    const { rotate, posts } = await start();
    const result = await rotate('--orgs acme,globex --yes --to file:{org}x --to env-file:acmexacme#K_{org}');
    expect(result.code).toBe(0);
    expect(posts()).toEqual(['acme', 'globex']);
    const shared = await rotate('--orgs a,aa --yes --to file:{org}a --to file:{org}');
    expect(shared).toEqual(
      failed(
        2,
        toText(
          'orgctl: a and aa would have the same place: file:aa',
          '  → Write {org} so that each organization has a place of its own, and check for links.',
        ),
      ),
    );
  });

  const TOKENS = '--to file:{org}.token';
  const ENV = '--to env-file:{org}.env#KEY';

  test.each<[name: string, line: string, place: (home: string) => void, same: string]>([
    ['a link to a file', TOKENS, link('acme.token', 'globex.token'), 'file:acme.token and file:globex.token'],
    [
      'a link to a file that does not exist yet',
      TOKENS,
      (home) => symlinkSync('acme.token', join(home, 'globex.token')),
      'file:acme.token and file:globex.token',
    ],
    ['a hard link', TOKENS, link('acme.token', 'globex.token', linkSync), 'file:acme.token and file:globex.token'],
    [
      'a link to a folder',
      '--to file:{org}/token',
      (home) => {
        mkdirSync(join(home, 'acme'));
        symlinkSync('acme', join(home, 'globex'));
      },
      'file:acme/token and file:globex/token',
    ],
    ['a link to an env file', ENV, link('acme.env', 'globex.env'), 'env-file:acme.env#KEY and env-file:globex.env#KEY'],
    [
      'a file, and an env file that is a link to it',
      `--to file:{org} --to env-file:{org}.env#KEY`,
      link('acme', 'globex.env'),
      'file:acme and env-file:globex.env#KEY',
    ],
    [
      'names that differ in case alone',
      '--orgs x,XX --to file:{org}x --to file:{org}',
      () => undefined,
      'file:xx and file:XX',
    ],
  ])('a place that two organizations would share on the disk: %s', async (_name, line, place, same) => {
    const { rotate, posts, home } = await start();
    place(home);
    const orgs = line.startsWith('--orgs') ? '' : '--orgs acme,globex ';
    const { code, stderr } = await rotate(`${orgs}--yes ${line}`);
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^orgctl: \\S+ and \\S+ would have the same place: ${same}$`)),
    ]);
    expect(posts()).toEqual([]);
    expect(existsSync(join(home, 'state'))).toBe(false);
  });

  test('two keys of one env file are two places, whatever its names', async () => {
    const { rotate, home, read, secretOf } = await start();
    link('acme.env', 'globex.env')(home);
    expect((await rotate('--orgs acme,globex --yes --to env-file:{org}.env#KEY_{org}')).code).toBe(0);
    expect(read('acme.env')).toBe(`KEY_acme=${secretOf('acme')}\nKEY_globex=${secretOf('globex')}\n`);
  });

  test('of one organization {org} is its name too', async () => {
    const { rotate, read, secretOf, requests } = await start();
    expect(await rotate('--org a.b --to file:{org}.token')).toEqual(
      failed(
        2,
        toText(
          "orgctl: 'a.b' can't be a part of a place",
          '  → Rotate it alone, with --org, to a place without {org}.',
        ),
      ),
    );
    expect(requests).toEqual([]);
    expect((await rotate(`--org acme ${TO}`)).code).toBe(0);
    expect(read('acme.token')).toBe(secretOf('acme'));
  });

  test('off a terminal it needs --yes, and says what it would replace', async () => {
    const { rotate, posts, home } = await start();
    expect(await rotate(`--all-orgs ${TO}`)).toEqual(
      failed(
        2,
        toText(
          'orgctl: this needs confirmation, and there is no terminal to ask at: Replace the audit trail tokens of these 2 organizations?',
          '  The current tokens stop working at once.',
          '  acme: created 20 days ago, never used',
          '  globex: created 20 days ago, never used',
          '  → Add --yes, or --dry-run to preview.',
        ),
      ),
    );
    expect(posts()).toEqual([]);
    expect(readdirSync(home)).toEqual([]);
  });
});

describe('rotating', () => {
  test('each gets its own secret in its own place; one without a token is a row, and no failure', async () => {
    const { rotate, read, posts, secretOf } = await start();
    expect(await rotate(`--all-orgs --yes ${TO}`)).toEqual({
      code: 0,
      stdout: toText(
        `rotated\tacme\t${EXPIRY}\tSHA\ttrue\tfile:acme.token\t\t`,
        `rotated\tglobex\t${EXPIRY}\tSHA\ttrue\tfile:globex.token\t\t`,
        'none-or-not-permitted\tinitech\t\t\t\t\t\t',
      ),
      stderr: toText('3 organizations: 2 rotated, 1 none or not permitted.'),
    });
    expect(posts()).toEqual(['acme', 'globex']);
    expect([read('acme.token'), read('globex.token')]).toEqual([secretOf('acme'), secretOf('globex')]);
    expect(read('initech.token')).toBeUndefined();
  });

  test('json is an array, with an organization like every other', async () => {
    const { rotate } = await start();
    const { stdout } = await rotate(`--orgs globex,acme --yes ${TO} -o json`);
    expect(JSON.parse(stdout)).toMatchObject(
      ['acme', 'globex'].map((id) => ({
        type: 'authentication-tokens',
        organization: { id, type: 'organizations' },
        changed: true,
        result: 'rotated',
        'expired-at': EXPIRY,
        places: [{ place: `file:${id}.token`, delivered: true }],
        sinks: [{ sink: `file:${id}.token`, delivered: true }],
        verified: true,
      })),
    );
  });

  test('at a terminal a table', async () => {
    const { rotate } = await start();
    const { stdout } = await rotate(`--all-orgs --yes ${TO} -o table --no-color`, { tty: { stdout: true } });
    expect(stdout).toBe(
      toText(
        'ORGANIZATION  RESULT                 EXPIRES     TO                 VERIFIED',
        'acme          rotated                in 90 days  file:acme.token    yes',
        'globex        rotated                in 90 days  file:globex.token  yes',
        'initech       none or not permitted',
      ),
    );
  });

  test('an exec place has the name within its words', async () => {
    const { rotate, read, secretOf } = await start();
    const { code } = await rotate('--orgs acme,globex --yes -o json --to exec:/bin/sh\t-c\t\'cat>"$0"\'\t{org}.saved');
    expect(code).toBe(0);
    expect([read('acme.saved'), read('globex.saved')]).toEqual([secretOf('acme'), secretOf('globex')]);
  });

  test('--create-missing creates one where there is none', async () => {
    const { rotate, read, secretOf, posts } = await start();
    const { code, stdout } = await rotate(`--all-orgs --yes --create-missing ${TO} --fields result,organization.id`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'rotated\tacme\nrotated\tglobex\nrotated\tinitech\n' });
    expect(read('initech.token')).toBe(secretOf('initech'));
    expect(posts()).toEqual(['acme', 'globex', 'initech']);
  });

  test('with a condition only those that need it, and nothing is asked where none does', async () => {
    const { rotate, posts } = await start();
    await rotate(`--orgs acme --yes ${TO}`);
    const line = `${TO} --if-expires-within 30d --fields result,organization.id`;
    const due = await rotate(`--orgs acme,globex --yes ${line} --if-older-than 10d`);
    expect(due.stdout).toBe('unchanged\tacme\nrotated\tglobex\n');
    const none = await rotate(`--orgs acme,globex ${line}`);
    expect({ code: none.code, stdout: none.stdout }).toEqual({
      code: 0,
      stdout: 'unchanged\tacme\nunchanged\tglobex\n',
    });
    expect(posts()).toEqual(['acme', 'globex']);
  });

  test('a token that was delivered from here and is gone: a failure', async () => {
    const { rotate, ask } = await start();
    await rotate(`--orgs acme,globex --yes ${TO}`);
    await ask('DELETE', '/organizations/acme/authentication-token?token=audit-trails');
    const line = `--orgs acme,globex --yes ${TO} --fields result,organization.id,error.code`;
    const gone = await rotate(line);
    expect({ code: gone.code, stdout: gone.stdout }).toEqual({
      code: 10,
      stdout: 'failed\tacme\ttoken-gone\nrotated\tglobex\t\n',
    });
    expect(gone.stderr).toBe(
      toText(
        '2 organizations: 1 rotated, 1 failed.',
        'orgctl: 1 of 2 failed',
        "  acme's audit trail token, which was delivered from here, is not shown. It was deleted, you lack permission, or this service does not show its tokens.",
        '  → To create one all the same, add --create-missing.',
      ),
    );
    expect((await rotate(`${line} --create-missing`)).stdout).toBe('rotated\tacme\t\nrotated\tglobex\t\n');
  });

  test('a place that fails its check is a row, and the others go on', async () => {
    const { rotate, home, posts, read, secretOf } = await start();
    mkdirSync(join(home, 'acme'));
    const { code, stdout } = await rotate(
      '--all-orgs --yes --to file:{org}/token --create-missing --fields result,organization.id,error.code',
    );
    expect({ code, stdout }).toEqual({
      code: 10,
      stdout: 'rotated\tacme\t\nfailed\tglobex\tusage\nfailed\tinitech\tusage\n',
    });
    expect(posts()).toEqual(['acme']);
    expect(read('acme/token')).toBe(secretOf('acme'));
  });

  test('the row of one that failed has no places, in every format', async () => {
    for (const format of ['-o markdown', '-o table --fields organization.id,sinks,checks']) {
      const service = await start();
      const { code, stdout, stderr } = await service.rotate(`--orgs acme,nowhere --yes ${TO} ${format}`);
      expect({ code, stderr }).toMatchObject({ code: 10, stderr: expect.not.stringContaining('bug') });
      const [row] = stdout.split('\n').filter((line) => line.includes('nowhere'));
      expect(row).not.toContain('file:');
    }
  });

  test('one that another run holds is a row, and the others go on', async () => {
    const { rotate, stateOf, posts } = await start();
    await rotate(`--orgs acme --yes ${TO}`);
    const lock = await takeLock(toLockPlace(stateOf('acme')), {
      wait: 0,
      now: Date.now,
      sleep: async () => undefined,
      signal: new AbortController().signal,
      unique: 'ab',
      describe: 'rotation of acme',
    });
    const { code, stdout } = await rotate(`--orgs acme,globex --yes ${TO} --fields result,organization.id,error.code`);
    await lock.release();
    expect({ code, stdout }).toEqual({ code: 10, stdout: 'failed\tacme\tbusy\nrotated\tglobex\t\n' });
    expect(posts()).toEqual(['acme', 'globex']);
  });

  test('a secret that was not delivered ends the run, is kept, and delivered by the same command again', async () => {
    const { rotate, home, posts, read, secretOf } = await start();
    writeFileSync(join(home, 'save'), '#!/bin/sh\n[ -e ready ] && cat > "$1"\n', { mode: 0o755 });
    const line = `--orgs acme,globex --yes --to exec:./save\t{org}.saved --fields result,organization.id,changed,error.code`;
    const first = await rotate(line);
    expect({ code: first.code, stdout: first.stdout }).toEqual({
      code: 12,
      stdout: 'failed\tacme\ttrue\tnot-delivered\nnot-attempted\tglobex\tfalse\t\n',
    });
    writeFileSync(join(home, 'ready'), '');
    const second = await rotate(line);
    expect({ code: second.code, stdout: second.stdout }).toEqual({
      code: 0,
      stdout: 'delivered\tacme\ttrue\t\nrotated\tglobex\ttrue\t\n',
    });
    expect(posts()).toEqual(['acme', 'globex']);
    expect([read('acme.saved'), read('globex.saved')]).toEqual([secretOf('acme'), secretOf('globex')]);
  });

  test('a signal waits for the one under way, and keeps the others from being begun', async () => {
    let send: () => void = () => undefined;
    const service = await start({
      alter(answer, request) {
        if (request.method === 'POST') send();
        return answer;
      },
    });
    const { code, stdout, stderr } = await service.rotate(
      `--orgs acme,globex --yes ${TO} --fields result,organization.id`,
      {
        onStart(sender) {
          send = () => sender('SIGINT');
        },
      },
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 130,
      stdout: 'rotated\tacme\nnot-attempted\tglobex\n',
      stderr: toText(
        '2 organizations: 1 rotated, 1 not attempted.',
        'Interrupted. 1 of 2 done; 1 not attempted.',
        '  Not attempted: globex',
        '  → Run the same command again: it finishes what was begun, and goes on with the others.',
      ),
    });
    expect(service.read('acme.token')).toBe(service.secretOf('acme'));
    const only = await service.rotate(`--orgs globex --yes ${TO} --fields result`, {
      onStart(sender) {
        send = () => sender('SIGINT');
      },
    });
    expect({ code: only.code, stdout: only.stdout }).toEqual({ code: 130, stdout: 'rotated\n' });
  });

  test('a name that is no part of a path is not rotated', async () => {
    const { rotate, posts } = await start();
    const { code, stdout } = await rotate(`--orgs acme,../x,-y --yes ${TO} --fields result,organization.id`);
    expect({ code, stdout }).toEqual({ code: 10, stdout: 'failed\t-y\nfailed\t../x\nrotated\tacme\n' });
    expect(posts()).toEqual(['acme']);
  });

  test('one that the token does not reach is a failed row, also where missing tokens are created', async () => {
    const { rotate, posts } = await start();
    const line = `--orgs acme,typo --yes ${TO} --fields result,organization.id,error.code`;
    for (const more of ['', ' --create-missing']) {
      const { code, stdout } = await rotate(`${line}${more}`);
      expect({ code, stdout }).toEqual({ code: 10, stdout: 'rotated\tacme\t\nfailed\ttypo\tnot-found\n' });
    }
    expect(posts()).toEqual(['acme', 'acme']);
  });

  test('an organization is spelled as the service spells it, and is one', async () => {
    const { rotate, home, read, posts, secretOf } = await start();
    const { code, stdout } = await rotate(`--orgs acme,GLOBEX,ACME --yes ${TO} --fields organization.id,sinks`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'acme\tfile:acme.token\nglobex\tfile:globex.token\n' });
    expect(posts()).toEqual(['acme', 'globex']);
    expect(read('globex.token')).toBe(secretOf('globex'));
    expect(readdirSync(home).filter((name) => name.endsWith('.token'))).toEqual(['acme.token', 'globex.token']);
  });

  test('--dry-run: what would happen to each, and no trace', async () => {
    const { rotate, posts, home } = await start();
    const result = await rotate(`--all-orgs ${TO} --dry-run`);
    expect(result).toEqual({
      code: 0,
      stdout: toText(
        'planned\tacme\t2027-02-19T09:00:00Z\t\t\tfile:acme.token\t\t',
        'planned\tglobex\t2027-02-19T09:00:00Z\t\t\tfile:globex.token\t\t',
        'none-or-not-permitted\tinitech\t\t\t\t\t\t',
      ),
      stderr: toText(
        "Would replace acme's audit trail token (created 20 days ago, never used); the new one would expire in 90 days (2027-02-19 09:00 UTC)",
        'acme: checked: file:acme.token can be written, no other rotation runs',
        "Would replace globex's audit trail token (created 20 days ago, never used); the new one would expire in 90 days (2027-02-19 09:00 UTC)",
        'globex: checked: file:globex.token can be written, no other rotation runs',
        '2 tokens would be replaced or created.',
        'Nothing was sent.',
      ),
    });
    expect(posts()).toEqual([]);
    expect(readdirSync(home)).toEqual([]);
  });

  test('where the service shows no token, --create-missing rotates all the same', async () => {
    const { rotate, posts } = await start({ documentOnly: true });
    const line = `--orgs acme,globex --yes ${TO} --fields result,organization.id,verified`;
    expect((await rotate(line)).stdout).toBe('none-or-not-permitted\tacme\t\nnone-or-not-permitted\tglobex\t\n');
    expect((await rotate(`${line} --create-missing`)).stdout).toBe('rotated\tacme\t\nrotated\tglobex\t\n');
    expect(posts()).toEqual(['acme', 'globex']);
  });
});
