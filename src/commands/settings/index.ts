import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addExamples } from '../options.ts';
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
  addExamples(noun, {
    'orgctl settings list': 'what is in force, and why',
    'orgctl settings set org acme': 'no more --org acme',
  });
}
