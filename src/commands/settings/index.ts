import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { registerGet } from './get.ts';
import { registerList } from './list.ts';
import { registerPath } from './path.ts';
import { registerSet } from './set.ts';
import { registerUnset } from './unset.ts';

export function registerSettings(noun: Command, open: OpenContext): void {
  registerList(noun, open);
  registerGet(noun, open);
  registerSet(noun, open);
  registerUnset(noun, open);
  registerPath(noun, open);
  addDocumentation(noun, { examples: ['orgctl settings list', 'orgctl settings set org acme'] });
}
