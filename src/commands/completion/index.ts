import type { Verb } from '../../cli/command.ts';
import { type Completion, complete } from '../../cli/completion.ts';
import { argument, option } from '../../cli/options.ts';
import { SCRIPTS, type ShellName } from './scripts.ts';

/** Prints the script of a shell, or for that script the words that may stand at the end of a line. */
export function createCompletion(completion: Completion): Verb<{ line?: string }, [shell: ShellName]> {
  return {
    summary: 'Print a completion script for your shell',
    arguments: [argument('<shell>', 'your shell').choices(Object.keys(SCRIPTS))],
    options: [option('--line <text>', 'a command line up to the cursor').hideHelp()],
    examples: [
      'completion bash >> ~/.bashrc',
      'completion zsh >> ~/.zshrc',
      'completion fish > ~/.config/fish/completions/orgctl.fish',
      'completion powershell >> $PROFILE',
    ],
    async run({ output }, { line }, shell) {
      const words = line === undefined ? undefined : await complete(completion, line);
      await output.text(words ? words.map((word) => `${word}\n`).join('') : SCRIPTS[shell]);
    },
  };
}
