import { hasCommand, parseCommand, runCommand } from '../../lib/exec.ts';
import { createFingerprint } from '../fingerprint.ts';
import type { OpenedPlace, PlaceOptions } from './index.ts';

export function openExec(value: string, { fill, redactor, ...context }: PlaceOptions): OpenedPlace {
  // `{org}` is replaced after parsing, so the name can't add words.
  const words = parseCommand(value, '--to', context.runtime.platform).map(fill);
  const [command = ''] = words;
  return {
    name: `exec:${command}`,
    id: createFingerprint(JSON.stringify(words)),
    async check() {
      if (!(await hasCommand(command, context.runtime))) throw new Error('command not found');
    },
    async deliver(secret) {
      const onLine = (line: string): void => context.onLine(redactor.text(line));
      const problem = await runCommand(words, { ...context, input: secret, onLine });
      if (problem !== undefined) throw new Error(problem);
    },
  };
}
