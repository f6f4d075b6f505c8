import { Argument, type Command, Option } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { TOPIC_NAMES } from '../../manual/topic-names.ts';
import type { PrepareCommand } from '../options.ts';
import { SHELLS, type ShellName } from './shells.ts';

interface Flags {
  readonly live?: boolean;
  readonly word?: string;
}

/** `orgctl completion <shell>`: a script for the shell, which calls the same command with what was typed so far. */
export function registerCompletion(command: Command, open: OpenContext, prepare: PrepareCommand): void {
  command
    .addArgument(new Argument('<shell>', SHELLS.join(', ')).choices(SHELLS))
    // For the script, and without a word in the help: what was typed before, and the word to complete.
    .argument('[before...]')
    .option('--live', 'Complete names of organizations, teams and providers too (asks the service)')
    .addOption(new Option('--word <word>').hideHelp());
  addDocumentation(command, {
    examples: [
      'eval "$(orgctl completion bash)"',
      'orgctl completion zsh > _orgctl',
      'orgctl completion fish > orgctl.fish',
      'orgctl completion powershell > orgctl.ps1',
      'orgctl completion bash --live > orgctl.bash',
    ],
  }).action(async (shell: ShellName, before: readonly string[], flags: Flags) => {
    const live = flags.live === true;
    if (flags.word === undefined) {
      if (before.length > 0) {
        throw new UsageError('missing --word', {
          hint: 'To print the script:',
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
