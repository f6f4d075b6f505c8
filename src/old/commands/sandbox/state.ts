import type { Sandbox, Seed } from '../../../sandbox/sandbox.ts';
import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { hasContent } from '../../files/look.ts';
import { file } from '../options.ts';

export const STATE = {
  state: file(
    '--state <file>',
    'File for its state instead of the usual one (:memory: keeps nothing)',
    'Give a file, or :memory: to keep nothing.',
  ),
};

/** As a shell offers them; members takes any number. */
export const SEEDS = ['demo', 'empty', 'members=1000'];

/** The state named, or the usual one. The caller closes it. */
export async function openState({ services }: Context, state: string | undefined): Promise<Sandbox> {
  return await services.openSandbox(state === undefined ? {} : { state });
}

/**
 * Opens the state only to look at it: where there is no file, none is made, and the content of a new one is shown. The
 * caller closes it.
 */
export async function openToLook(context: Context, state: string | undefined): Promise<Sandbox> {
  // Where it can't be looked at, opening it says what is wrong.
  return await openState(context, hasContent(state ?? context.places.sandboxState()) ? state : ':memory:');
}

/** Throws UsageError where every write is refused: the sandbox's own data is no exception. */
export function refuseReadOnly({ identity }: Context): void {
  const { value, source } = identity.settings['read-only'];
  if (!value) return;
  throw new UsageError(`read-only mode is on (from ${source}), nothing was changed`, {
    code: 'read-only',
    hint: 'Unset it there to allow changes.',
  });
}

/** Runs something that may find fault with what the person asked of the sandbox. */
export async function asUsageError<T>(act: () => T | Promise<T>): Promise<T> {
  const { SandboxInputError } = await import('../../../sandbox/sandbox.ts');
  try {
    return await act();
  } catch (error) {
    if (error instanceof SandboxInputError) {
      throw new UsageError(error.message, { reasons: error.reasons, hint: error.hint, cause: error });
    }
    throw error;
  }
}

export async function readSeed(text: string | undefined): Promise<Seed | undefined> {
  if (text === undefined) return undefined;
  const { parseSeed } = await import('../../../sandbox/sandbox.ts');
  const seed = parseSeed(text);
  if (seed === undefined) {
    throw new UsageError(`unknown seed: ${text}`, { hint: 'It takes demo, empty, or members=<n>.' });
  }
  return seed;
}

export function toSeedText(seed: Seed): string {
  return seed.kind === 'members' ? `members=${seed.count}` : seed.kind;
}
