import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { drawSeed } from '../campaign/random.ts';
import { createPlan, runTrial, type TrialReport } from '../rotation/matrix/index.ts';
import { findLeaks } from '../rotation/matrix/leaks.ts';
import type { Program } from '../rotation/matrix/process.ts';
import { ORGCTL, ROOT } from '../support/shipped.ts';

const PROGRAM: Program = {
  node: process.execPath,
  door: ORGCTL,
  killer: join(ROOT, 'test', 'bench', 'rotation-kill.cjs'),
};

/** What has to come about at least once, or the faults do not do what they are for. */
const EXPECTED = [
  'exit 0 | in every place',
  'exit 2 | as before: never replaced',
  'exit 11 | known not to be known',
  'exit 12 | in some places and kept',
  'SIGKILL | as before: never replaced',
  'SIGKILL | known not to be known',
  'SIGKILL | kept',
];

const ON_WINDOWS = process.platform === 'win32';

/** One for each way in which a rotation ends and each place where the token then is. */
const SEEDS = [3, 6, 7, 8, 9, 15, 16, 18, 20, 24, 28, 37, 42, 46, 51, 52, 54, 55, 56, 57];
/** So many more are drawn. */
const DRAWN = 5;

test.skipIf(ON_WINDOWS)(
  'rotations that are killed, cut off and refused never lose the token, and the next one delivers it',
  async () => {
    const reports: TrialReport[] = [];
    const first = drawSeed('the kill matrix');
    const seeds = [...SEEDS, ...Array.from({ length: DRAWN }, (_, index) => first + index)];
    // While one waits for its limit, others go on.
    const work = async (): Promise<void> => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        reports.push(await runTrial(seed, PROGRAM));
      }
    };
    await Promise.all([work(), work(), work()]);
    expect(reports.flatMap(({ seed, violations }) => violations.map((text) => `seed ${seed}: ${text}`))).toEqual([]);
    expect(reports.flatMap(({ ends }) => ends)).toEqual(expect.arrayContaining(EXPECTED));
    expect(reports.map(({ next }) => next)).toContain('delivers what was kept');
  },
);

// Of each kind one that is killed, one whose answer is lost and one that ends well, and some that are drawn.
test.skipIf(ON_WINDOWS).each(['organization', 'team', 'described', 'self'] as const)(
  'nor of a token of kind %s, whose old one is deleted only after the proof',
  async (kind) => {
    const first = drawSeed(`the kill matrix of ${kind}`);
    const reports: TrialReport[] = [];
    for (const seed of [3, 9, 18, first, first + 1]) reports.push(await runTrial(seed, PROGRAM, kind));
    expect(reports.flatMap(({ seed, violations }) => violations.map((text) => `seed ${seed}: ${text}`))).toEqual([]);
  },
);

test.skipIf(ON_WINDOWS).each(['audit-trail', 'organization', 'described'] as const)(
  'a new token of kind %s that a policy ends before it was seen to work is replaced by the next run',
  async (kind) => {
    expect((await runTrial(222, PROGRAM, kind)).violations).toEqual([]);
  },
);

// A killed run with another to delete; and two machines.
test.skipIf(ON_WINDOWS).each([
  [31, 'self', false],
  [1, 'audit-trail', true],
] as const)('seed %i of kind %s', async (seed, kind, isTwo) => {
  expect((await runTrial(seed, PROGRAM, kind, isTwo)).violations).toEqual([]);
});

test
  .skipIf(ON_WINDOWS)
  .each([[104_846, 'of two requests the first takes effect last, and the run after it cannot write to the disk']])(
  'seed %i: %s',
  async (seed) => {
    expect((await runTrial(seed, PROGRAM)).violations).toEqual([]);
  },
);

const IS_ROOT = process.platform === 'linux' && process.getuid?.() === 0;

// Only root can make a folder that even it cannot change.
test.skipIf(!IS_ROOT).each([
  [300_308, 'a run cannot remove what the one before it left'],
  [800_198, 'a run that was refused cannot remove what it made'],
])('seed %i: %s', async (seed) => {
  expect((await runTrial(seed, PROGRAM)).violations).toEqual([]);
});

/** Somebody who rotates like a shell line with curl: asks for a token, and `after` is all that is done with it. */
function writeCareless(after: string): Program {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-careless-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const door = join(folder, 'careless.cjs');
  writeFileSync(
    door,
    `const { ORGCTL_BASE_URL: base, ORGCTL_TOKEN: token, ORGCTL_STATE_DIR: state } = process.env;
     const address = base + '/organizations/acme/authentication-token?token=audit-trails';
     require('node:http').request(address, { method: 'POST', headers: { authorization: 'Bearer ' + token } }, async (answer) => {
       let text = '';
       for await (const piece of answer) text += piece;
       const secret = JSON.parse(text).data.attributes.token;
       ${after}
     }).end();`,
  );
  return { ...PROGRAM, door };
}

/** One in which nothing goes wrong but what the program does itself. */
const QUIET_SEED = Array.from({ length: 1_000 }, (_, seed) => seed).find((seed) => {
  const { stages, warmUp, sinks } = createPlan(seed);
  const [[run, ...others] = [], ...later] = stages;
  const faults = [run?.posts[0], run?.file, run?.kill, run?.signal, run?.foreign, run?.reads, run?.local];
  return (
    !warmUp &&
    others.length + later.length === 0 &&
    faults.every((fault) => fault === undefined) &&
    !sinks.includes('stdout')
  );
});

test.skipIf(ON_WINDOWS).each([
  ['keeps nothing', '', /the token in force is LOST/],
  [
    'tells it on stderr',
    'console.error(Buffer.from("x" + secret).toString("base64"));',
    /a secret \(base64.*\) in stderr/,
  ],
  [
    'leaves it in a file',
    'require("node:fs").writeFileSync(state + "/log", encodeURIComponent(secret));',
    /a secret \(.*URL.*\) in .*log/,
  ],
])('the matrix notices a rotation that %s', async (_name, after, violation) => {
  const { violations } = await runTrial(QUIET_SEED ?? -1, writeCareless(after));
  expect(violations).toContainEqual(expect.stringMatching(violation));
});

test.each([
  ['as it is', (secret: string) => secret, 'text'],
  ['over two lines', (secret: string) => `${secret.slice(0, 20)}\n${secret.slice(20)}`, 'text'],
  ['in hexadecimal', (secret: string) => Buffer.from(secret).toString('hex'), 'hexadecimal'],
  ['in a URL', encodeURIComponent, 'URL'],
  ['in base64', (secret: string) => Buffer.from(`u:${secret}`).toString('base64'), 'base64'],
  ['in base64 for URLs', (secret: string) => Buffer.from(`${secret}!`).toString('base64url'), 'base64url'],
])('a secret is found %s', (_name, write, form) => {
  const secret = 'a1b2c3d4e5f6a7.atlasv1.k+L/m=N-o_P.q%R~s>t?u>v?w>x?y>z?0123456789';
  expect(findLeaks(`before ${write(secret)} behind`, secret)).toContain(form);
  expect(findLeaks(`before ${write('another-secret-that-is-long-enough-to-be-one')} behind`, secret)).toEqual([]);
});
