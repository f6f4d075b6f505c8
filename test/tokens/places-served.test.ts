import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { hideAuditToken, readState, startRotations } from '../support/rotations.ts';
import { startService } from '../support/service.ts';

const NOT_DUE = '--if-expires-within 1d';
type Place = 'file' | 'exec' | 'exec2' | 'github';

/** First a run without conditions to some places, and then one that is not due to others. */
test.each<[string, string, Place[], Place[], 'hidden' | '', object]>([
  ['another command than before', 'audit-trail', ['exec'], ['exec2'], '', { code: 13, created: 0 }],
  ['the same command', 'audit-trail', ['exec'], ['exec'], '', { code: 0, created: 0 }],
  ['a command more', 'audit-trail', ['file'], ['file', 'exec'], '', { code: 13, created: 0 }],
  ['a command less', 'audit-trail', ['file', 'exec'], ['file'], '', { code: 0, created: 0 }],
  ['an output of a step more', 'team:platform/ci', ['file'], ['file', 'github'], '', { code: 13, created: 0 }],
  ['the same two', 'team:platform/ci', ['file', 'exec'], ['exec', 'file'], '', { code: 0, created: 0 }],
  ['not shown, a file is the witness', 'audit-trail', ['file', 'exec'], ['file', 'exec'], 'hidden', { code: 0 }],
  ['not shown, without a witness', 'audit-trail', ['exec'], ['exec'], 'hidden', { code: 13, created: 0 }],
  ['not shown, another command', 'audit-trail', ['file', 'exec'], ['file', 'exec2'], 'hidden', { code: 13 }],
])('a place that never got the token does not count as served: %s, %s', async (...row) => {
  const [, token, first, second, shown, expected] = row;
  const { rotate, folder, home, place } = await startRotations(shown ? { alter: hideAuditToken } : {});
  const output = join(folder, 'output');
  writeFileSync(output, '');
  const all = { file: `file:${place}`, exec: 'exec:/bin/cat', exec2: 'exec:/bin/true', github: 'github-output:token' };
  const to = (names: Place[]) => names.map((name) => `--to ${all[name]}`).join(' ');
  const env = { GITHUB_OUTPUT: output };
  expect(await rotate(`${token} ${to(first)}`, { env })).toMatchObject({ code: 0 });
  expect(await rotate(`${token} ${to(second)} ${NOT_DUE}`, { env })).toMatchObject(expected);
  expect(readState(home)['delivered']).toHaveProperty('places.length', first.length);
});

test('what else had the token before is named, and is not the same file by another name', async () => {
  const { rotate, folder, place } = await startRotations();
  symlinkSync(folder, `${folder}-link`);
  await rotate(`audit-trail --to file:${place} --to exec:/bin/cat`);
  const { code, stderr } = await rotate(`audit-trail --to file:${folder}-link/token`);
  const warning = 'warning: nothing was delivered to exec:/bin/cat this time: the token there no longer works\n';
  expect([code, stderr]).toEqual([0, warning]);
});

test('the secret is masked before another place gets it', async () => {
  const { rotate, folder } = await startRotations();
  const output = join(folder, 'output');
  writeFileSync(output, '');
  const store = join(folder, 'store');
  writeFileSync(store, '#!/bin/sh\necho stored\nexit 1\n', { mode: 0o755 });
  const to = `--to exec:${store} --to github-output:token`;
  const { code, stderr } = await rotate(`audit-trail ${to}`, { env: { GITHUB_OUTPUT: output } });
  expect({ code, stderr }).toEqual({ code: 12, stderr: expect.stringMatching(/^::add-mask::\S+\n.*stored/s) });
});

test('a token that is not shown and works is kept, with a warning that its end is unknown', async () => {
  const { rotate, place } = await startRotations({ alter: hideAuditToken });
  await rotate(`audit-trail --to file:${place}`);
  const lost = createFolder();
  const kept = await rotate(`audit-trail --to file:${place} ${NOT_DUE}`, { home: lost });
  expect(kept).toMatchObject({ code: 0, created: 0 });
  expect(kept.stderr).toContain("unknown when acme's audit trail token expires");
});

/** The delivered token is the current one, and not due. */
test.each<[string, string, 'audit-trail' | 'team:platform/ci', object]>([
  ['another token, which works', 'other', 'audit-trail', { code: 0, created: 1 }],
  ['another token, which works', 'other', 'team:platform/ci', { code: 0, created: 1 }],
  ['the delivered one', 'same', 'audit-trail', { code: 0, created: 0 }],
  ['the delivered one, which is refused', 'refused', 'audit-trail', { code: 13, created: 0 }],
  ['the delivered one, which is refused', 'refused', 'team:platform/ci', { code: 13, created: 0 }],
  ['another token, which works, and no list', 'other, unlisted', 'team:platform/ci', { code: 13, created: 0 }],
])('a file has %s (%s): %s', async (_name, holds, token, expected) => {
  let isRefusing = false;
  let isHiding = false;
  const { rotate, place, service } = await startRotations({
    alter(given, { url, headers }) {
      if (isHiding && url.includes('team-tokens')) return new Response('{"errors":[]}', { status: 404 });
      return isRefusing &&
        /audit-trail\?|account/.test(url) &&
        !headers.get('authorization')?.endsWith(service.sandbox.tokenFor('owner', 'acme') ?? '')
        ? new Response('{"errors":[]}', { status: 401 })
        : given;
    },
  });
  await rotate(token);
  isHiding = holds === 'other, unlisted';
  if (holds.startsWith('other')) writeFileSync(place, service.sandbox.tokenFor('owners-team', 'acme') ?? '');
  isRefusing = holds === 'refused';
  expect(await rotate(`${token} ${NOT_DUE}`)).toMatchObject(expected);
});

test.each([
  ['', { code: 13, created: 1 }],
  [` ${NOT_DUE}`, { code: 13, created: 0 }],
])('a token that somebody else has created is replaced if one is due: %s', async (condition, expected) => {
  const { rotate, replace } = await startRotations();
  await rotate('audit-trail --to exec:/bin/cat');
  await replace();
  const ended = await rotate(`audit-trail --to exec:/bin/cat${condition} -o json`);
  expect(ended).toMatchObject(expected);
  if (expected.created) expect(JSON.parse(ended.stdout)).toMatchObject({ result: 'rotated', changed: true });
  expect(await rotate('audit-trail --to exec:/bin/cat')).toMatchObject({ code: expected.created ? 0 : 13 });
});

test.each<[string, string[]]>([
  ['one file', ['file:a', 'file:./a']],
  ['one file, through a folder', ['file:a', 'file:folder/../a']],
  ['a link to a file that is there', ['file:a', 'file:link']],
  ['a link to its folder', ['file:new', 'file:loop/new']],
  ['one key of a file', ['env-file:env#A', 'env-file:loop/env#A']],
  ['a file and a key in it', ['env-file:env#A', 'file:env']],
  ['a key in it and a file', ['file:loop/env', 'env-file:env#A']],
])('places that are one are refused before anything is created: %s', async (_name, to) => {
  const { run, requests } = await startService();
  const home = createFolder();
  mkdirSync(join(home, 'folder'));
  for (const name of ['a', 'env']) writeFileSync(join(home, name), '');
  symlinkSync('a', join(home, 'link'));
  symlinkSync('.', join(home, 'loop'));
  const argv = ['audit-token', 'rotate', '--expires', '90d', '--yes', ...to.flatMap((place) => ['--to', place])];
  const { code, stderr } = await run(argv, { home });
  expect([code, stderr]).toEqual([2, expect.stringContaining('are the same file\n')]);
  expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('places of all organizations are compared, and keys of one file or names of one hard link are different places', async () => {
  const { run, requests } = await startService();
  const home = createFolder();
  writeFileSync(join(home, 'acme'), '');
  symlinkSync('acme', join(home, 'globex'));
  writeFileSync(join(home, 'one'), '');
  linkSync(join(home, 'one'), join(home, 'two'));
  const rotate = (...more: string[]) => run(['audit-token', 'rotate', '--expires', '90d', '--yes', ...more], { home });
  const refused = await rotate('--org', 'acme,globex', '--to', 'file:{org}');
  expect([refused.code, refused.stderr]).toEqual([2, 'orgctl: file:acme and file:globex are the same file\n']);
  expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
  expect(await rotate('--org', 'acme,globex', '--to', 'env-file:env#{org}')).toMatchObject({ code: 0 });
  expect(readFileSync(join(home, 'env'), 'utf8')).toMatch(/^acme=sandbox\.\w+\nglobex=sandbox\.\w+\n$/);
  expect(await rotate('--to', 'file:one', '--to', 'file:two')).toMatchObject({ code: 0 });
  expect(readFileSync(join(home, 'one'), 'utf8')).toBe(readFileSync(join(home, 'two'), 'utf8'));
});

test.each(['/no/such', 'no-such-command', './token'])(
  'a verify command that there is not is found before the POST, and before what is left is delivered: %s',
  async (command) => {
    const { rotate, home, held } = await startRotations();
    expect(await rotate(`audit-trail --verify-command ${command}`)).toMatchObject({ code: 2, created: 0 });
    await rotate('audit-trail --to exec:/bin/false');
    const before = readState(home);
    expect(await rotate(`audit-trail --verify-command ${command}`)).toMatchObject({ code: 2 });
    expect([readState(home), held()]).toEqual([before, undefined]);
  },
);

test('two runs that write one env-file lose no secret', async () => {
  const { service, home, folder } = await startRotations();
  const env = join(folder, 'env');
  writeFileSync(env, 'OTHER=1\n');
  const host = { sleep: () => setImmediate() };
  const rotate = (token: string, key: string) =>
    service.run(['tokens', 'rotate', token, '--expires', '90d', '--yes', '--to', `env-file:${env}#${key}`], {
      ...{ home, host, seed: key },
    });
  const ended = await Promise.all([
    rotate('audit-trail', 'A'),
    rotate('organization', 'B'),
    rotate('team:platform/ci', 'C'),
  ]);
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(readFileSync(env, 'utf8').split('\n').toSorted().join(' ')).toMatch(
    /^ A=sandbox\.\w+ B=sandbox\.\w+ C=sandbox\.\w+ OTHER=1$/,
  );
});

test.each([
  ['a=1', 'a=1\n'],
  ['', ''],
  ['a=1\n', 'a=1\n'],
])('an output of a step begins on a line of its own after %j', async (before, start) => {
  const { rotate, folder } = await startRotations();
  const output = join(folder, 'output');
  writeFileSync(output, before);
  await rotate('audit-trail --to github-output:token', { env: { GITHUB_OUTPUT: output } });
  const rest = readFileSync(output, 'utf8').slice(start.length);
  expect(readFileSync(output, 'utf8').startsWith(start)).toBe(true);
  expect(rest).toMatch(/^token<<(orgctl-\w+)\nsandbox\.\w+\n\1\n$/);
});

test('what a command prints is shown if it fails or with --debug, without the secret', async () => {
  const { rotate, folder } = await startRotations();
  const script = (name: string, end: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\nread -r t\necho "got $t"\n${end}\n`, { mode: 0o755 });
    return `audit-trail --to exec:${folder}/${name}`;
  };
  const env = { PATH: process.env['PATH'] };
  expect((await rotate(script('good', ''), { env })).stderr).toBe('');
  expect((await rotate(`${script('good', '')} --debug`, { env })).stderr).toContain('\ngot [removed]\n');
  expect((await rotate(script('bad', 'exit 3'), { env })).stderr).toMatch(/^(warning.*\n)?got \[removed\]\norgctl: /);
});

test('more organizations than a stream has listeners for warn of nothing', async () => {
  const { run } = await startService();
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  const orgs = ['acme', ...Array.from({ length: 12 }, (_, index) => `org-${index}`)].join(',');
  await run(`audit-token rotate --org ${orgs} --expires 90d --to file:{org} --dry-run`.split(' '));
  await setImmediate();
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
