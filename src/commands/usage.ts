import type { Command } from 'commander';

interface Named {
  name(): string;
  readonly parent: Named | null;
}

/** `orgctl members show` */
export function toPath(command: Named): string {
  return command.parent === null ? command.name() : `${toPath(command.parent)} ${command.name()}`;
}

/** How it is called, and where its help is. */
export function toUsage(command: Command): string {
  return `Usage: ${[toPath(command), ...toArguments(command)].join(' ')}   Help: ${toPath(command)} --help`;
}

/** `<member> [options]` */
export function toTaken(command: Command): string {
  if (command.commands.length > 0) return command.usage();
  const options = command.options.some(({ hidden }) => !hidden) ? ['[options]'] : [];
  return [...toArguments(command), ...options].join(' ');
}

function toArguments(command: Command): readonly string[] {
  // Arguments without a description are for programs.
  const described = command.registeredArguments.filter(({ description }) => description !== '');
  return described.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
}

export function findCommand(parent: Command, word: string): Command | undefined {
  return parent.commands.find((command) => command.name() === word || command.aliases().includes(word));
}
