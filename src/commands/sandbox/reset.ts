import { rm } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { addExamples } from '../options.ts';
import { addStateOption, asUsageError, openState, readSeed, type StateFlags } from './state.ts';

interface Flags extends StateFlags {
  readonly seed?: string;
}

export function registerReset(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('reset')
    .description('throw the sandbox’s state away and start afresh')
    .option('--seed <seed>', 'demo (the default), empty, or members=<n>');
  addExamples(addStateOption(verb), [
    { command: 'orgctl sandbox reset', shows: 'back to the demo organizations' },
  ]).action(async function (this: Command, flags: Flags) {
    await resetSandbox(open(this), flags);
  });
}

async function resetSandbox(context: Context, flags: Flags): Promise<void> {
  const seed = (await readSeed(flags.seed)) ?? { kind: 'demo' as const };
  const sandbox = await (flags.state === undefined
    ? openOrReplace(context)
    : openState(context, { state: flags.state }));
  try {
    await asUsageError(() => sandbox.reset(seed));
    context.note(`the sandbox in ${sandbox.info().state} is as new (seed ${sandbox.info().seed})`);
  } finally {
    sandbox.close();
  }
}

/** The usual state is orgctl's own file: damaged, it is replaced. A file the person named is never removed. */
async function openOrReplace(context: Context): Promise<Sandbox> {
  try {
    return await openState(context, {});
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await Promise.all(['', '-wal', '-shm'].map((ending) => rm(`${context.sandboxState()}${ending}`, { force: true })));
    return await openState(context, {});
  }
}
