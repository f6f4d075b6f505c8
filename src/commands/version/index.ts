import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';

/** `orgctl version`: the same as `--version`. */
export function registerVersion(command: Command, open: OpenContext): void {
  addDocumentation(command, { examples: ['orgctl version'] }).action(() =>
    open(command).screen.print(command.parent?.version() ?? ''),
  );
}
