import { openCommand } from '../lib/exec.ts';
import { createFingerprint } from '../lib/fingerprint.ts';
import type { OpenedPlace, PlaceContext } from './place.ts';

export function openExec(value: string, { redactor, ...context }: PlaceContext): OpenedPlace {
  const onLine = (line: string): void => context.onLine(redactor.text(line));
  const { file, words, isFound, run } = openCommand(value, '--to', { ...context, onLine });
  return {
    name: `exec:${file}`,
    id: createFingerprint(JSON.stringify(words)),
    async check() {
      if (!(await isFound())) throw new Error('command not found');
    },
    async deliver(secret) {
      const problem = await run(secret);
      if (problem !== undefined) throw new Error(problem);
    },
  };
}
