import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addExamples } from '../options.ts';
import { registerCreate } from './create.ts';
import { registerDelete } from './delete.ts';
import { registerGet } from './get.ts';
import { registerList } from './list.ts';
import { registerVersions } from './versions.ts';

export function registerProviders(noun: Command, open: OpenContext): void {
  registerList(noun, open);
  registerGet(noun, open);
  registerCreate(noun, open);
  registerDelete(noun, open);
  registerVersions(noun, open);
  addExamples(noun, [
    { command: 'orgctl providers list --org acme', shows: 'every provider of acme' },
    { command: 'orgctl providers create hashicorp/google --org acme', shows: 'curate a public provider' },
  ]);
}
