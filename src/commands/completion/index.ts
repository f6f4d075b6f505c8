import { Argument, type Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { TOPIC_NAMES } from '../../manual/topic-names.ts';
import { addExamples, type PrepareCommand } from '../options.ts';
import { SHELLS, type ShellName } from './shells.ts';

interface Flags {
  readonly live?: boolean;
  readonly word?: string;
}

/** `orgctl completion <shell>`: a script for the shell, which calls the same command with what was typed so far. */
export function registerCompletion(command: Command, open: OpenContext, prepare: PrepareCommand): void {
  command
    .usage('<shell> [options]')
    .addArgument(new Argument('<shell>', SHELLS.join(', ')).choices(SHELLS))
    .argument('[before...]', 'for the script: the words before the one to complete')
    .option('--live', 'offer names of organizations, teams and providers too, as the service has them')
    .option('--word <word>', 'for the script: the word to complete');
  addExamples(command, {
    'orgctl completion bash > orgctl.bash': 'then, in ~/.bashrc: source orgctl.bash',
    'orgctl completion zsh > _orgctl': 'in a folder of $fpath, or sourced after compinit',
    'orgctl completion fish > orgctl.fish': 'in ~/.config/fish/completions',
    'orgctl completion powershell > orgctl.ps1': 'then, in $PROFILE: . ./orgctl.ps1',
    'orgctl completion bash --live > orgctl.bash':
      'with names from the service: asked for half a second at most, kept for two minutes',
  }).action(async (shell: ShellName, before: readonly string[], flags: Flags) => {
    const live = flags.live === true;
    if (flags.word === undefined) {
      if (before.length > 0) {
        throw new UsageError('words to complete go with --word', {
          hint: 'For the script:',
          next: [['orgctl', 'completion', shell]],
        });
      }
      const { renderScript } = await import('./scripts.ts');
      return await open(command).screen.print(renderScript(shell, live).trimEnd());
    }
    const { complete } = await import('./complete.ts');
    const { word } = flags;
    const program = command.parent ?? command;
    const text = await complete({ program, prepare, topics: TOPIC_NAMES, open, shell, live, before, word });
    if (text !== '') await open(command).screen.print(text.trimEnd());
  });
}
