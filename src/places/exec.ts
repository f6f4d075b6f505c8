import { openCommand } from '../lib/exec.ts';
import { createFingerprint } from '../lib/fingerprint.ts';
import type { Place, PlaceContext } from './place.ts';

export function open(value: string, { redactor, ...context }: PlaceContext): Place {
  const onLine = (line: string): void => context.onLine(redactor.text(line));
  const { file, words, check, run } = openCommand(value, '--to', { ...context, onLine });
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
