import { type CommandContext, defineVerb, type Verb } from '../../cli/command.ts';
import { complete } from '../../cli/completion.ts';
import { argument, option } from '../../cli/options.ts';
import { SCRIPTS, SHELLS } from './scripts.ts';

/** Prints the script of a shell. The script calls the command again with --line, for the candidates of the last word. */
export function createVerb(context: CommandContext): Verb {
  return defineVerb({
    arguments: [argument('<shell>', 'your shell', { choices: SHELLS })],
    options: [option('--line <text>', 'a command line up to the cursor', { isHidden: true })],
    examples: [
      'completion bash >> ~/.bashrc',
      'completion zsh >> ~/.zshrc',
      'completion fish > ~/.config/fish/completions/orgctl.fish',
      'completion powershell >> $PROFILE',
    ],
    async run({ output }, { line }, shell) {
      if (line === undefined) return output.text(SCRIPTS[shell]);
      const candidates = await complete(context, line);
      const hasDescriptions = shell !== 'bash';
      await output.lines(
        candidates.map(({ word, description }) => (hasDescriptions && description ? `${word}\t${description}` : word)),
      );
    },
  });
}
