import { type RegisterNoun, registerAction, type Verb } from '../../cli/command.ts';
import { type CompletionContext, complete } from '../../cli/completion.ts';
import { argument, option } from '../../cli/options.ts';
import { SCRIPTS, type ShellName } from './scripts.ts';

/** Prints the script of a shell. The script calls the command again with --line, for the candidates of the last word. */
function createCompletion(context: CompletionContext): Verb<{ line?: string }, [shell: ShellName]> {
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
      const words = line === undefined ? undefined : await complete(context, line);
      await (words ? output.lines(words) : output.text(SCRIPTS[shell]));
    },
  };
}

export const register: RegisterNoun = (command, open, context) =>
  registerAction(command, createCompletion(context), open);
