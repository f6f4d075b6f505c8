import { openCommand } from '../lib/exec.ts';
import { createFingerprint } from '../lib/fingerprint.ts';
import type { Place, PlaceContext } from './place.ts';

export function open(value: string, context: PlaceContext): Place {
  const { file, words, check, run } = openCommand(value, '--to', context);
  return {
    name: `exec:${file}`,
    id: createFingerprint(JSON.stringify(words)),
    check,
    async deliver(secret) {
      const failure = await run(secret);
      if (failure) throw new Error(failure.reason);
    },
  };
}
