import { Argument, type Command, Option } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { toPath, toUsage } from '../usage.ts';
import type { PrepareCommand } from '../verb.ts';
import { SHELLS, type ShellName } from './shells.ts';

interface Flags {
  readonly word?: string;
  readonly kept?: string;
}

/** `orgctl completion <shell>`: a script for the shell, which calls the same command with what was typed so far. */
export function registerCompletion(command: Command, open: OpenContext, prepare: PrepareCommand): void {
  command
    .addArgument(new Argument('<shell>', SHELLS.join(', ')).choices(SHELLS))
    // What follows is for the script: the word to complete, what of it stays, and as further arguments the words before it.
    .allowExcessArguments()
    .addOption(new Option('--word <word>').hideHelp())
    .addOption(new Option('--kept <text>').hideHelp())
    // In scripts of earlier versions, which had to ask for names from the service.
    .addOption(new Option('--live').hideHelp());
  addDocumentation(command, {
    examples: [
      'eval "$(orgctl completion bash)"',
      'eval "$(orgctl completion zsh)"',
      'orgctl completion fish | source',
      'orgctl completion powershell | Out-String | Invoke-Expression',
    ],
  }).action(async (shell: ShellName, flags: Flags) => {
    const before = command.args.slice(1);
    if (flags.word === undefined) {
      if (before.length > 0) {
        throw new UsageError(`too many arguments for ${toPath(command)}`, { hint: toUsage(command) });
      }
      const { SCRIPTS } = await import('./scripts.ts');
      return await open(command).screen.print(SCRIPTS[shell].trimEnd());
    }
    const { complete } = await import('./complete.ts');
    const { word, kept } = flags;
    const program = command.parent ?? command;
    const text = await complete({ program, prepare, open, shell, before, word, kept });
    // A name may end with a blank.
    if (text !== '') await open(command).screen.print(text.slice(0, -1));
  });
}
