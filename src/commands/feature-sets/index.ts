import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { registerCompare } from './compare.ts';
import { registerCurrent } from './current.ts';
import { registerList } from './list.ts';

export function registerFeatureSets(noun: Command, open: OpenContext): void {
  registerList(noun, open);
  registerCompare(noun, open);
  registerCurrent(noun, open);
  addDocumentation(noun, { examples: ['orgctl feature-sets list --eligible', 'orgctl feature-sets current'] });
}
