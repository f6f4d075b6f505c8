import { type CommandContext, defineVerb, type Verb } from '../../cli/command.ts';
import { complete } from '../../cli/completion.ts';
import { argument, option } from '../../cli/options.ts';
import bash from './scripts/orgctl.bash';
import fish from './scripts/orgctl.fish';
import powershell from './scripts/orgctl.ps1';
import zsh from './scripts/orgctl.zsh';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
const SCRIPTS: Record<(typeof SHELLS)[number], string> = { bash, zsh, fish, powershell };

/**
 * Prints the script of a shell. The script calls the command again with --line, for the candidates of the last word. It quotes
 * what orgctl prints, since a name may contain anything and the shell runs the line once it is accepted.
 */
export function createVerb(context: CommandContext): Verb {
  return defineVerb({
    arguments: [argument('<shell>', 'your shell', { choices: SHELLS })],
    options: [option('--line <text>', 'a command line up to the cursor', { isHidden: true })],
    examples: [
      'completion bash >> ~/.bashrc',
      'completion zsh >> ~/.zshrc',
      'completion fish >> ~/.config/fish/config.fish',
      'completion powershell >> $PROFILE',
    ],
    async run({ output }, { line }, shell) {
      if (line === undefined) return output.text(SCRIPTS[shell]);
      const lines = (await complete(context, line)).map(({ word, description }) =>
        shell === 'bash' || description === undefined ? `${word}\n` : `${word}\t${description}\n`,
      );
      await output.text(lines.join(''));
    },
  });
}
