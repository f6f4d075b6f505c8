import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Host } from '../../../src/old/host.ts';
import { openStderr } from '../../../src/old/stderr/stream.ts';
import { createWaiting, type Look, type Waiting } from '../../../src/old/stderr/waiting.ts';
import { type CapturedStream, captureStream } from '../../support/streams.ts';

const started: Waiting[] = [];

/** `wait` ends all sleeps that are left. */
function start(
  options: { isTTY?: boolean; columns?: number; env?: Record<string, string>; look?: Look; stdoutIsTTY?: boolean } = {},
) {
  const { columns = 80, env = {}, look = 'moving', stdoutIsTTY = true } = options;
  const output = captureStream({ isTTY: options.isTTY ?? true, columns });
  const sleeps: { milliseconds: number; wake: () => void; isOver: boolean }[] = [];
  const host = {
    env,
    stderr: output,
    stdout: captureStream({ isTTY: stdoutIsTTY }),
    sleep: (milliseconds: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const sleep = { milliseconds, wake: resolve, isOver: false };
        sleeps.push(sleep);
        signal.addEventListener('abort', () => {
          sleep.isOver = true;
          reject(signal.reason);
        });
      }),
  } as unknown as Host;
  const hide = (text: string) => text.replaceAll('secret', '[removed]');
  const notes: string[] = [];
  const stderr = openStderr(host);
  const waiting = createWaiting({ host, stderr, hide, look: () => look, note: (text) => notes.push(text) });
  started.push(waiting);
  const pending = () => sleeps.filter(({ isOver }) => !isOver).map(({ milliseconds }) => milliseconds);
  const wait = async () => {
    for (const sleep of sleeps.slice()) {
      sleep.isOver = true;
      sleep.wake();
    }
    // Loading the line takes a few turns.
    await import('../../../src/old/stderr/line.ts');
    await settle(output);
  };
  return { waiting, stderr, output, notes, pending, wait };
}

async function settle(stream: CapturedStream): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (stream.writableLength > 0);
}

const WIPED = '<to 0><clear>\u001b[?2026l';

afterEach(() => {
  for (const waiting of started.splice(0)) waiting.end();
});

describe('the line', () => {
  it('shows a step before half a second is over, changes it, and wipes it away', async () => {
    const { waiting, output, pending, wait } = start();
    const step = waiting.step('Reading members');
    expect(pending()).toEqual([400]);
    expect(output.text()).toBe('');
    await wait();
    expect(output.text()).toContain('Reading members');
    step.update('Page 2\u001b[2J of secret');
    await vi.waitFor(() => expect(output.text()).toContain('Page 2 of [removed]'));
    step.stop();
    await wait();
    expect(output.text().endsWith(WIPED)).toBe(true);
    const before = output.text();
    step.stop();
    step.update('too late');
    await wait();
    expect(output.text()).toBe(before);
  });

  it('colours nothing and leaves the cursor alone', async () => {
    const { waiting, output, wait } = start();
    waiting.step('Reading members');
    await wait();
    waiting.end();
    await settle(output);
    expect(output.text()).not.toMatch(/\u001b\[\d*m|\u001b\[\?25/);
  });

  it('counts from the first of several requests, however short each is', async () => {
    const { waiting, output, pending, wait } = start();
    waiting.request('Reading acme')();
    const over = waiting.request('Reading the members of acme');
    expect(pending()).toEqual([400]);
    await wait();
    expect(output.text()).toContain('Reading the members of acme');
    over();
    waiting.request('Reading the teams of acme');
    await vi.waitFor(() => expect(output.text()).toContain('Reading the teams of acme'));
    expect(output.text()).not.toContain('<clear>\u001b[?2026l');
  });

  it('says why it takes longer before the step, and the step before its requests', async () => {
    const { waiting, output, wait } = start();
    waiting.request('Reading the members of acme');
    const step = waiting.step('Checking');
    const over = waiting.delay('The service limits requests', 8_000);
    await wait();
    expect(output.text()).toContain('The service limits requests');
    expect(output.text()).not.toMatch(/Reading|Checking/);
    over();
    await vi.waitFor(() => expect(output.text()).toContain('Checking'));
    step.stop();
    await vi.waitFor(() => expect(output.text()).toContain('Reading the members of acme'));
  });

  it('is gone before anything else is written, and comes back as late as at first', async () => {
    const { waiting, stderr, output, pending, wait } = start();
    waiting.step('Inviting');
    await wait();
    await stderr.write('a note\n');
    expect(output.text().endsWith(`${WIPED}a note\n`)).toBe(true);
    expect(pending()).toEqual([400]);
    await wait();
    waiting.beforeStdout();
    await settle(output);
    expect(output.text().endsWith(WIPED)).toBe(true);
    expect(pending()).toEqual([400]);
  });

  it('never comes back once a stdout that is no terminal took something', async () => {
    const { waiting, output, pending, wait } = start({ stdoutIsTTY: false });
    waiting.step('Reading members');
    await wait();
    waiting.beforeStdout();
    await settle(output);
    expect(output.text().endsWith(WIPED)).toBe(true);
    const before = output.text();
    waiting.step('Reading teams').update('Reading teams: 3');
    waiting.request('Reading the teams of acme');
    expect(pending()).toEqual([]);
    await wait();
    expect(output.text()).toBe(before);
  });

  it('leaves the terminal to a question', async () => {
    const { waiting, output, pending, wait } = start();
    waiting.step('Reading members');
    await wait();
    let answer = (): void => undefined;
    const asked = waiting.without(
      () =>
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
    );
    await settle(output);
    const before = output.text();
    expect(before.endsWith(WIPED)).toBe(true);
    waiting.request('Reading the teams of acme');
    await wait();
    expect(output.text()).toBe(before);
    answer();
    await asked;
    expect(pending()).toEqual([400]);
  });

  it('answers Ctrl-C at once, below what the terminal shows of it, and to the end', async () => {
    const { waiting, output, wait } = start();
    waiting.step('Creating');
    waiting.noteEcho();
    waiting.finish('Finishing: the token is being replaced.');
    await import('../../../src/old/stderr/line.ts');
    await settle(output);
    expect(output.text()).toMatch(/^\n.*Finishing: the token is being replaced\./);
    waiting.step('Delivering');
    waiting.delay('No answer', 30_000);
    await wait();
    expect(output.text()).not.toMatch(/Delivering|No answer/);
  });

  it('is drawn once and not again while a command runs that may ask something there', async () => {
    const { waiting, stderr, output, pending, wait } = start();
    const step = waiting.step('Delivering');
    let stop = (): void => undefined;
    const ended = waiting.still(
      () =>
        new Promise<void>((resolve) => {
          stop = resolve;
        }),
    );
    await wait();
    expect(output.text()).toContain('- Delivering');
    const before = output.text();
    step.update('Verifying');
    waiting.request('Reading the teams of acme');
    await wait();
    expect(output.text()).toBe(before);
    await stderr.write('what it says\n');
    expect(pending()).toEqual([]);
    stop();
    await ended;
    expect(pending()).toEqual([400]);
  });

  it('shows nothing of a short wait', async () => {
    const { waiting, output, pending, wait } = start();
    waiting.step('Reading members').stop();
    waiting.end();
    expect(pending()).toEqual([]);
    await wait();
    expect(output.text()).toBe('');
  });

  it.each<[string, Parameters<typeof start>[0]]>([
    ['off a terminal, where ora prints a line', { isTTY: false }],
    ['at 0 columns, where ora never returns', { columns: 0 }],
    ['in CI', { env: { CI: 'true' } }],
    ['on a dumb terminal', { env: { TERM: 'dumb' } }],
    ['when quiet', { look: 'none' }],
  ])('is never drawn %s: only what takes long is noted', async (_name, options) => {
    const { waiting, output, notes, pending, wait } = start(options);
    waiting.step('Reading members');
    waiting.delay('The service limits requests; going on in 8 s', 8_000);
    waiting.delay('No answer from app.terraform.io in 30 s; trying again (2 of 5)', 30_125);
    expect(pending()).toEqual([]);
    await wait();
    expect(output.text()).toBe('');
    expect(notes).toEqual(['No answer from app.terraform.io in 30 s; trying again (2 of 5)']);
  });

  it.each(['', '0', 'false'])('does not take CI=%j for CI', async (CI) => {
    const { waiting, output, wait } = start({ env: { CI } });
    waiting.step('Reading members');
    await wait();
    expect(output.text()).toContain('Reading members');
  });

  it('ends when the terminal shrinks to 0 columns', async () => {
    const { waiting, output, wait } = start();
    waiting.step('Reading members');
    await wait();
    Object.assign(output, { columns: 0 }).emit('resize');
    await settle(output);
    expect(output.text().endsWith(WIPED)).toBe(true);
    expect(output.listenerCount('resize')).toBe(0);
  });

  it('shows nothing when the terminal has lost its columns before it is drawn', async () => {
    const { waiting, output, wait } = start();
    waiting.step('Reading members');
    Object.assign(output, { columns: 0 });
    await wait();
    expect(output.text()).toBe('');
  });
});

describe('lines that do not move', () => {
  it('come after two seconds and every ten, with what is true by then', async () => {
    const { waiting, output, notes, pending, wait } = start({ look: 'plain' });
    const step = waiting.step('Reading members');
    expect(pending()).toEqual([2000]);
    await wait();
    expect(output.text()).toBe('Reading members\n');
    step.update('Reading secret: 3\u001b[2J00');
    expect(output.text()).toBe('Reading members\n');
    expect(pending()).toEqual([10_000]);
    await wait();
    expect(pending()).toEqual([10_000]);
    await wait();
    expect(output.text()).toBe(`Reading members\n${'Reading [removed]: 300\n'.repeat(2)}`);
    waiting.delay('No answer', 30_000);
    expect(notes).toEqual(['No answer']);
    step.stop();
    await wait();
    expect(output.text()).toBe(`Reading members\n${'Reading [removed]: 300\n'.repeat(2)}`);
  });

  it.each<[string, Parameters<typeof start>[0]]>([
    ['at 0 columns', { columns: 0 }],
    ['on a dumb terminal', { env: { TERM: 'dumb' } }],
  ])('need no redrawing: they are shown %s too', async (_name, options) => {
    const { waiting, output, wait } = start({ ...options, look: 'plain' });
    waiting.step('Reading members');
    await wait();
    expect(output.text()).toBe('Reading members\n');
  });

  it.each<[string, Parameters<typeof start>[0]]>([
    ['off a terminal', { isTTY: false }],
    ['in CI', { env: { CI: 'true' } }],
  ])('are left out %s', async (_name, options) => {
    const { waiting, output, pending } = start({ ...options, look: 'plain' });
    waiting.step('Reading members');
    await settle(output);
    expect(pending()).toEqual([]);
    expect(output.text()).toBe('');
  });

  it('end when stderr is closed', async () => {
    const { waiting, output, pending, wait } = start({ look: 'plain' });
    waiting.step('Reading members');
    output.destroy();
    await wait();
    await wait();
    expect(pending()).toEqual([]);
  });
});
