import { hasCommand, parseCommand, runCommand } from '../../lib/exec.ts';
import type { Place, PlaceOptions } from './index.ts';

export function openExec(value: string, { runtime, signal, redactor, onLine, fill }: PlaceOptions): Place {
  // `{org}` is replaced after parsing, so the name can't add words.
  const words = parseCommand(value, '--to', runtime.platform).map(fill);
  const [command = ''] = words;
  return {
    name: `exec:${command}`,
    async check() {
      if (!(await hasCommand(command, runtime))) throw new Error('command not found');
    },
    async deliver(secret) {
      const problem = await runCommand(words, {
        input: secret,
        runtime,
        signal,
        onLine: (line) => onLine(redactor.text(line)),
      });
      if (problem !== undefined) throw new Error(problem);
    },
  };
}
