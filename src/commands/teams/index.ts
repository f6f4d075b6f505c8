import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { registerAdd } from './add.ts';
import { registerList } from './list.ts';
import { registerMembers } from './members.ts';
import { registerRemove } from './remove.ts';

export function registerTeams(noun: Command, open: OpenContext): void {
  registerList(noun, open);
  registerMembers(noun, open);
  registerAdd(noun, open);
  registerRemove(noun, open);
  addDocumentation(noun, {
    examples: ['orgctl teams list', 'orgctl teams add platform ada.auditor@example.com --from audit --yes'],
  });
}
