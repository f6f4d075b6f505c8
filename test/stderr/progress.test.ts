import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Host } from '../../src/host.ts';
import { createProgress, type Progress } from '../../src/stderr/progress.ts';
import { openStderr } from '../../src/stderr/stream.ts';
import { type CapturedStream, captureStream } from '../support/streams.ts';

const started: Progress[] = [];

/** `wait` ends the delay before anything may show. */
function start(
  options: { isTTY?: boolean; columns?: number; env?: Record<string, string>; quiet?: boolean; moving?: boolean } = {},
) {
  const { columns = 80, env = {}, quiet = false, moving = true } = options;
  const stderr = captureStream({ isTTY: options.isTTY ?? true, columns });
  const sleeps: { milliseconds: number; wake: () => void }[] = [];
  const host = {
    env,
    stderr,
    sleep: (milliseconds: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        sleeps.push({ milliseconds, wake: resolve });
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  } as unknown as Host;
  const hide = (text: string) => text.replaceAll('secret', '[removed]');
  const progress = createProgress({ host, stderr: openStderr(host), hide, quiet, text: 'Reading members', moving });
  started.push(progress);
  const wait = async () => {
    for (const { wake } of sleeps.slice()) wake();
    // Loading ora takes a few turns.
    await import('ora');
    await settle(stderr);
  };
  return { progress, stderr, sleeps, wait };
}

async function settle(stderr: CapturedStream): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (stderr.writableLength > 0);
}

afterEach(() => {
  for (const progress of started.splice(0)) progress.stop();
});

describe('createProgress', () => {
  it('shows the text after 150 ms at a terminal, changes it, and clears it', async () => {
    const { progress, stderr, sleeps, wait } = start();
    expect(sleeps.map(({ milliseconds }) => milliseconds)).toEqual([150]);
    expect(stderr.text()).toBe('');
    await wait();
    expect(stderr.text()).toContain('Reading members');
    progress.update('Page 2\u001b[2J of secret');
    await vi.waitFor(() => expect(stderr.text()).toContain('Page 2 of [removed]'));
    progress.stop();
    await settle(stderr);
    expect(stderr.text().endsWith('<to 0><clear>\u001b[?2026l')).toBe(true);
    const before = stderr.text();
    progress.stop();
    progress.update('too late');
    await settle(stderr);
    expect(stderr.text()).toBe(before);
  });

  it('colours nothing and leaves the cursor alone', async () => {
    const { progress, stderr, wait } = start();
    await wait();
    progress.stop();
    await settle(stderr);
    expect(stderr.text()).not.toMatch(/\u001b\[\d*m|\u001b\[\?25/);
  });

  it('shows nothing of a short wait', async () => {
    const { progress, stderr, wait } = start();
    progress.stop();
    await wait();
    expect(stderr.text()).toBe('');
  });

  it('shows nothing when it is stopped while ora is being loaded', async () => {
    const { progress, stderr, sleeps, wait } = start();
    sleeps[0]?.wake();
    await Promise.resolve();
    progress.stop();
    await wait();
    expect(stderr.text()).toBe('');
  });

  it.each<[string, Parameters<typeof start>[0]]>([
    ['off a terminal, where ora prints a line', { isTTY: false }],
    ['at 0 columns, where ora never returns', { columns: 0 }],
    ['in CI', { env: { CI: 'true' } }],
    ['on a dumb terminal', { env: { TERM: 'dumb' } }],
    ['when quiet', { quiet: true }],
  ])('never starts %s', async (_name, options) => {
    const { stderr, sleeps, wait } = start(options);
    expect(sleeps).toEqual([]);
    await wait();
    expect(stderr.text()).toBe('');
  });

  it.each(['', '0', 'false'])('does not take CI=%j for CI', async (CI) => {
    const { stderr, wait } = start({ env: { CI } });
    await wait();
    expect(stderr.text()).toContain('Reading members');
  });

  it('ends when the terminal shrinks to 0 columns', async () => {
    const { stderr, wait } = start();
    await wait();
    Object.assign(stderr, { columns: 0 }).emit('resize');
    await settle(stderr);
    expect(stderr.text().endsWith('<to 0><clear>\u001b[?2026l')).toBe(true);
    expect(stderr.listenerCount('resize')).toBe(0);
  });

  it('shows nothing when the terminal has lost its columns before the start', async () => {
    const { stderr, wait } = start();
    Object.assign(stderr, { columns: 0 });
    await wait();
    expect(stderr.text()).toBe('');
  });
});

describe('progress that does not move', () => {
  it('is a plain line after two seconds and every ten, with what is true by then', async () => {
    const { progress, stderr, sleeps, wait } = start({ moving: false });
    expect(sleeps.map(({ milliseconds }) => milliseconds)).toEqual([2000]);
    await wait();
    expect(stderr.text()).toBe('Reading members\n');
    progress.update('Reading secret: 3\u001b[2J00');
    expect(stderr.text()).toBe('Reading members\n');
    await wait();
    await wait();
    expect(sleeps.map(({ milliseconds }) => milliseconds)).toEqual([2000, 10_000, 10_000, 10_000]);
    expect(stderr.text()).toBe(`Reading members\n${'Reading [removed]: 300\n'.repeat(2)}`);
    progress.stop();
    await wait();
    expect(stderr.text()).toBe(`Reading members\n${'Reading [removed]: 300\n'.repeat(2)}`);
  });

  it.each<[string, Parameters<typeof start>[0]]>([
    ['at 0 columns', { columns: 0 }],
    ['on a dumb terminal', { env: { TERM: 'dumb' } }],
  ])('needs no redrawing: it is shown %s too', async (_name, options) => {
    const { stderr, wait } = start({ ...options, moving: false });
    await wait();
    expect(stderr.text()).toBe('Reading members\n');
  });

  it.each<[string, Parameters<typeof start>[0]]>([
    ['off a terminal', { isTTY: false }],
    ['in CI', { env: { CI: 'true' } }],
    ['when quiet', { quiet: true }],
  ])('is left out %s', async (_name, options) => {
    const { stderr, sleeps } = start({ ...options, moving: false });
    await settle(stderr);
    expect(sleeps).toEqual([]);
    expect(stderr.text()).toBe('');
  });

  it('ends when stderr is closed', async () => {
    const { stderr, sleeps, wait } = start({ moving: false });
    stderr.destroy();
    await wait();
    await wait();
    expect(sleeps).toHaveLength(1);
  });
});
