import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { readInput } from '../../input/read-input.ts';
import { parseToken } from '../../secrets/token-text.ts';

/** Longer than any token, and short enough to notice what is none. */
const MOST_BYTES = 65_536;

/** A token typed unseen at a terminal, or piped in. Throws UsageError where there is none, or no one to ask. */
export async function readToken(context: Context, origin: string): Promise<string> {
  const { screen, places } = context;
  if (places.host.stdin.isTTY !== true) return parseToken(await readPiped(context), 'what stdin holds');
  if (!screen.canAsk()) {
    throw new UsageError('the token has to be typed, and there is nobody to ask', {
      hint: 'Pipe it in: from a file, or from a program that prints it.',
      next: [['orgctl', 'auth', 'login']],
    });
  }
  // Where the hosted edition and Terraform Enterprise alike make them.
  if (origin.startsWith('https:')) screen.note(`a user token is made at ${origin}/app/settings/tokens`);
  return parseToken(await screen.askSecret(`Token for ${origin} (it is not shown): `), 'what was typed');
}

async function readPiped({ places }: Context): Promise<string> {
  const hint = 'Pipe in the token alone, on one line.';
  const { bytes } = await readInput(places.host, places.interrupts.signal, {
    option: 'auth login',
    path: '-',
    most: MOST_BYTES,
    hint,
  });
  const text = bytes.toString('utf8');
  if (text.trim() !== '') return text;
  throw new UsageError('stdin holds no token', {
    hint: 'Pipe the token in, or run this at a terminal to be asked for it.',
    next: [['orgctl', 'auth', 'login']],
  });
}
