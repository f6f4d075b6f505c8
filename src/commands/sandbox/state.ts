import { type Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import type { Sandbox, SandboxOptions, Seed } from '../../sandbox/sandbox.ts';

export interface StateFlags {
  readonly state?: string;
}

export function addStateOption(command: Command): Command {
  return command.addOption(new Option('--state <file>', 'another state than the one --sandbox uses'));
}

/** Opens the sandbox; what is wrong with its state becomes a UsageError. The caller closes it. */
export async function openState(context: Context, options: Partial<SandboxOptions>): Promise<Sandbox> {
  return await asUsageError(() => context.openSandbox(options));
}

/** Runs something that may find fault with what the person asked of the sandbox. */
export async function asUsageError<T>(act: () => T | Promise<T>): Promise<T> {
  const { SandboxInputError } = await import('../../sandbox/sandbox.ts');
  try {
    return await act();
  } catch (error) {
    if (error instanceof SandboxInputError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

export async function readSeed(text: string | undefined): Promise<Seed | undefined> {
  if (text === undefined) return undefined;
  const { parseSeed } = await import('../../sandbox/sandbox.ts');
  const seed = parseSeed(text);
  if (seed === undefined) {
    throw new UsageError(`'${text}' is no seed`, { hint: 'Give demo, empty, or members=100000.' });
  }
  return seed;
}
