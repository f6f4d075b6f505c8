import type { Command, Help } from 'commander';

/** Help for somebody who does not know the command yet: what it is, what it takes, and the options last. */
export function formatHelp(command: Command, helper: Help): string {
  const width = helper.padWidth(command, helper);
  const item = (term: string, description: string): string => helper.formatItem(term, width, description, helper);
  const section = (heading: string, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [`${heading}`, ...items, ''];

  const commands = helper.groupItems(
    [...command.commands],
    helper.visibleCommands(command),
    (each) => each.helpGroup() || 'Commands:',
  );
  const options = helper.groupItems(
    [...command.options],
    helper.visibleOptions(command),
    (each) => each.helpGroupHeading ?? 'Options:',
  );
  return [
    helper.boxWrap(helper.commandDescription(command), helper.helpWidth ?? 100),
    '',
    `Usage: ${helper.commandUsage(command)}`,
    '',
    ...section(
      'Arguments:',
      helper
        .visibleArguments(command)
        .map((argument) => item(helper.argumentTerm(argument), helper.argumentDescription(argument))),
    ),
    ...[...commands].flatMap(([heading, group]) =>
      section(
        heading,
        group.map((each) => item(helper.subcommandTerm(each), helper.subcommandDescription(each))),
      ),
    ),
    ...[...options].flatMap(([heading, group]) =>
      section(
        heading,
        group.map((option) => item(helper.optionTerm(option), helper.optionDescription(option))),
      ),
    ),
    ...(command.parent === null ? [] : ['Options of every command (--org, -o, --dry-run and more): orgctl --help', '']),
  ].join('\n');
}
