import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { registerApply } from './apply.ts';
import { registerCheck } from './check.ts';
import { registerCreate } from './create.ts';
import { registerDelete } from './delete.ts';
import { registerGet } from './get.ts';
import { registerList } from './list.ts';
import { registerPlan } from './plan.ts';
import { registerPublish } from './publish.ts';
import { registerVersions } from './versions.ts';

export function registerProviders(noun: Command, open: OpenContext): void {
  registerList(noun, open);
  registerGet(noun, open);
  registerCreate(noun, open);
  registerDelete(noun, open);
  registerVersions(noun, open);
  registerPublish(noun, open);
  registerCheck(noun, open);
  registerPlan(noun, open);
  registerApply(noun, open);
  addDocumentation(noun, { examples: ['orgctl providers list', 'orgctl providers create hashicorp/google'] });
}
