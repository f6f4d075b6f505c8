import { describe, expect, onTestFinished, test } from 'vitest';
import type { RotationState } from '../../src/tokens/rotation-state.ts';
import {
  type Ended,
  KINDS,
  openTrial,
  type RunPlan,
  type Token,
  type Trial,
  type TrialOptions,
} from '../support/rotation-trial.ts';

/**
 * `S(x)`: a POST was sent when the token was x. `P`: a secret that is not delivered yet. `p` is its token, and `another` one
 * that nobody here has the secret of. `(not shown)`: by a service without metadata.
 */
type Row = [before: string, shows: string, event: string, exit: number, saved: string, posts: number];

const REPLACED: Row[] = [
  ['nothing', 'old', 'due', 0, 'S(old) P delivered', 1],
  ['nothing', 'old', 'not due', 13, '', 0],
  ['P', 'p', 'not due', 0, 'delivered', 0],
  ['P', 'another', 'due', 0, 'P+S(another) P delivered', 1],
  ['P', 'none', 'due', 0, 'P+S(null) P delivered', 1],
  ['P', 'p (not shown)', 'not due', 0, 'delivered', 0],
  ['P', 'another (not shown)', 'due', 0, 'P+S(undefined) P delivered', 1],
  ['P without id', 'p', 'not due', 0, 'delivered', 0],
  ['P without id', 'another', 'due', 0, 'P+S(another) P delivered', 1],
  ['S(old)', 'another', 'not due', 0, 'S(old) P delivered', 1],
  ['S(old)', 'another (not shown)', 'not due', 0, 'S(old) P delivered', 1],
  ['S(undefined)', 'old', 'not due', 0, 'S(undefined) P delivered', 1],
  ['S(old)', 'old', 'not due', 13, '', 0],
  ['S(old)', 'old', 'due', 0, 'S(old) P delivered', 1],
  ['S(old) 11 minutes ago', 'old', 'not due', 13, 'nothing', 0],
  ['P+S(old)', 'p', 'not due', 0, 'delivered+S(old)', 0],
  ['P+S(old)', 'p (not shown)', 'not due', 0, 'delivered+S(old)', 0],
  ['P+S(old)', 'another (not shown)', 'not due', 0, 'P+S(old) P delivered', 1],
  ['P+S(old)', 'another', 'not due', 0, 'P+S(old) P delivered', 1],
  ['nothing', 'old', 'POST 403', 6, 'S(old) nothing', 1],
  ['S(old)', 'another', 'POST 403', 6, 'S(old) S(old)', 1],
  ['P', 'another', 'POST 403', 6, 'P+S(another) P', 1],
  ['nothing', 'old', 'POST dropped', 11, 'S(old)', 1],
  ['nothing', 'old', 'POST lost', 0, 'S(old) S(old) P delivered', 2],
  ['nothing', 'old', 'both lost', 11, 'S(old) S(old)', 2],
  ['nothing', 'old', 'replaced', 12, 'S(old) P', 1],
  ['nothing', 'old', 'the command fails', 12, 'S(old) P', 1],
  ['nothing', 'old', 'P is not saved', 1, 'S(old)', 1],
];

/** `s` is the token of a POST whose secret was lost. */
const DESCRIBED: Row[] = [
  ['nothing', 'old', 'due', 0, 'S P+retiring 1 delivered+retiring 1 delivered', 1],
  ['nothing', 'old', 'not due', 0, '', 0],
  ['P', 'p', 'not due', 0, 'delivered+retiring 1 delivered', 0],
  ['P', 'none', 'not due', 0, 'S+retiring 1 P+retiring 1 delivered+retiring 1 delivered', 1],
  ['P', 'no list', 'not due', 11, '', 0],
  ['S', 'no list', 'not due', 11, '', 0],
  ['S', 's', 'not due', 0, 'S+retiring 1 P+retiring 2 delivered+retiring 2 delivered+retiring 1 delivered', 1],
  ['S', 'none', 'not due', 0, 'S P+retiring 1 delivered+retiring 1 delivered', 1],
  [
    'nothing',
    'old',
    'POST lost',
    0,
    'S S+retiring 1 P+retiring 2 delivered+retiring 2 delivered+retiring 1 delivered',
    2,
  ],
  ['nothing', 'old', 'POST dropped', 11, 'S', 1],
  ['nothing', 'old', 'no proof', 13, 'S P+retiring 1', 1],
  ['delivered+retiring', 'p', 'not due', 0, 'delivered', 0],
  ['delivered+retiring', 'p', 'p gone meanwhile', 13, '', 0],
];

const EVENTS: Record<string, RunPlan> = {
  due: {},
  'not due': { options: ['--if-expires-within', '1d'] },
  'POST 403': { faults: { 'POST 1': '403' } },
  'POST dropped': { faults: { 'POST 1': 'dropped' } },
  'POST lost': { faults: { 'POST 1': 'lost' } },
  'both lost': { faults: { 'POST *': 'lost' } },
  replaced: { faults: { 'POST 1': 'replaced' } },
  'p gone meanwhile': { faults: { 'GET token': '404' }, options: ['--if-expires-within', '1d'] },
  'no proof': { faults: { 'GET account': '404' }, options: ['--allow-self'] },
};

async function open(options: TrialOptions): Promise<Trial> {
  const trial = await openTrial(options);
  onTestFinished(() => trial.close());
  return trial;
}

/** Makes the tokens, and the state that an earlier run would have left. */
async function arrange(trial: Trial, before: string, shows: string): Promise<Record<string, Token>> {
  // Only orgctl knows the name of the folder of a team's token.
  if (trial.kind !== 'audit-trail') await trial.run({ killAt: 'before POST token' });
  const isHidden = shows.includes('not shown');
  const state: RotationState = { version: 1, ...(!isHidden && { shown: true }) };
  const named: Record<string, Token> = { old: trial.old };
  const at = new Date(Date.now() - (before.includes('ago') ? 660_000 : 0)).toISOString();
  const sent = trial.readState().sent ?? { at, ...(!before.includes('undefined') && { before: trial.old.id }) };
  if (before.includes('S')) state.sent = sent;
  if (/^(P|delivered)/.test(before)) {
    const p = await trial.create('run', `deploy 2026-01-15-${'0'.repeat(16)}`);
    const { id, secret, description } = p;
    named['p'] = p;
    if (description !== null) state.retiring = [{ id: trial.old.id, from: new Date(0).toISOString() }];
    if (before.startsWith('d')) trial.place(p);
    if (before.startsWith('d')) state.delivered = { id, fingerprint: 'sha256:0' };
    else state.pending = { ...(!before.includes('without') && { id }), ...(description && { description }), secret };
  }
  if (shows.startsWith('another')) named['another'] = await trial.create('others');
  if (shows === 's') named['s'] = await trial.create('run', sent.description);
  if (shows === 'none') await trial.remove(named['p'] ?? (await trial.create('others', 'deploy of ben')));
  trial.writeState(state);
  return named;
}

/** The states that a run saved, with names in place of ids. */
function listSaved({ points }: Ended, named: Record<string, Token>): string {
  const saved = points.flatMap((point) => /^saved (.*)/.exec(point)?.[1] ?? []);
  return Object.entries(named).reduce((text, [name, { id }]) => text.replaceAll(id, name), saved.join(' '));
}

const ON_WINDOWS = process.platform === 'win32';

describe.skipIf(ON_WINDOWS).each([
  ['audit-trail', REPLACED],
  ['described', DESCRIBED],
] as const)('%s', (kind, rows) => {
  test.each(rows)('%s, the service shows %s, %s: exit %i, %s', async (before, shows, event, exit, saved, posts) => {
    const service = shows.includes('not shown') ? 'hidden' : 'full';
    const trial = await open({ kind, service, isExecAlone: kind === 'audit-trail' });
    const named = await arrange(trial, before, shows);
    if (event === 'the command fails') trial.failExec();
    if (event === 'P is not saved') trial.failState('"pending"');
    const plan = EVENTS[event] ?? {};
    const ended = await trial.run(shows === 'no list' ? { ...plan, faults: { 'GET team-tokens': '403' } } : plan);
    const seen = [ended.code, listSaved(ended, named), ended.posts, trial.violations];
    expect(seen, ended.stderr).toEqual([exit, saved, posts, []]);
  });
});

/** Some at once, since each waits for its processes. */
async function runEach<T>(plans: T[], act: (plan: T) => Promise<string[]>): Promise<string[]> {
  const found: string[] = [];
  const work = async (): Promise<void> => {
    for (let plan = plans.shift(); plan !== undefined; plan = plans.shift()) found.push(...(await act(plan)));
  };
  await Promise.all([work(), work(), work()]);
  return found;
}

/** Between two kills somebody else may change the token. */
async function killAndFinish(options: TrialOptions, steps: (number | string)[]): Promise<string[]> {
  const trial = await openTrial(options);
  const ends: string[] = [];
  for (const step of steps) {
    if (step === 'disturb') await trial.disturb();
    else ends.push((await trial.run({ killAt: step })).points.at(-1) ?? '');
  }
  const last = (await trial.finish()).at(-1);
  trial.close();
  return trial.violations.map((text) => `killed at ${steps} (${ends.join(', ')}), then ${last?.code}: ${text}`);
}

test.skipIf(ON_WINDOWS).each(KINDS)('killed at each point, the next run of %s finishes', async (kind) => {
  const { points } = await (await open({ kind })).run();
  expect(points.length).toBeGreaterThan(20);
  const plans = points.map((_, index) => [index + 1]);
  expect(await runEach(plans, (steps) => killAndFinish({ kind }, steps))).toEqual([]);
});

const SEQUENCES = [
  ['after POST', 'before POST'],
  ['after POST', 'after POST'],
  ['after POST', 'before POST', 'after POST'],
  ['after POST', 'saved P'],
  ['saved P', 'after exec'],
  ['saved P', 'disturb', 'before POST'],
  ['saved P', 'disturb', 'after POST'],
  ['after exec', 'disturb', 'after POST', 'saved P'],
];

test.skipIf(ON_WINDOWS).each(KINDS)('killed again and again, the next run of %s finishes', async (kind) => {
  expect(await runEach([...SEQUENCES], (steps) => killAndFinish({ kind, isExecAlone: true }, steps))).toEqual([]);
});
