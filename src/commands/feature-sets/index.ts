import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addExamples } from '../options.ts';
import { registerCompare } from './compare.ts';
import { registerList } from './list.ts';

export function registerFeatureSets(noun: Command, open: OpenContext): void {
  registerList(noun, open);
  registerCompare(noun, open);
  addExamples(noun, {
    'orgctl feature-sets list --eligible --org acme': 'what acme may have',
  });
}
