import { UsageError } from '../../errors.ts';
import { choice, text } from '../param.ts';
import { toPath, toUsage } from '../usage.ts';
import { verb } from '../verb.ts';
import { SHELLS } from './shells.ts';

/** A script for the shell, which calls the same command with what was typed so far. */
export const registerCompletion = verb({
  name: 'completion',
  effect: 'own',
  topic: 'environment',
  args: { shell: choice('<shell>', SHELLS.join(', '), SHELLS) },
  // What follows is for the script: the word to complete, what of it stays, and as further arguments the words before it.
  takesMoreArgs: true,
  options: {
    word: text('--word <word>', '', { isHidden: true }),
    kept: text('--kept <text>', '', { isHidden: true }),
  },
  examples: [
    'eval "$(orgctl completion bash)"',
    'eval "$(orgctl completion zsh)"',
    'orgctl completion fish | source',
    'orgctl completion powershell | Out-String | Invoke-Expression',
  ],
  async run({ screen }, { shell, word, kept }, { command, open, prepare }) {
    const before = command.args.slice(1);
    if (word === undefined) {
      if (before.length > 0) {
        throw new UsageError(`too many arguments for ${toPath(command)}`, { hint: toUsage(command) });
      }
      const { SCRIPTS } = await import('./scripts.ts');
      return await screen.print(SCRIPTS[shell].trimEnd());
    }
    const { complete } = await import('./complete.ts');
    const program = command.parent ?? command;
    const lines = await complete({ program, prepare, open, shell, before, word, kept });
    // A name may end with a blank.
    if (lines !== '') await screen.print(lines.slice(0, -1));
  },
});
