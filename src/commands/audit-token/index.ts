import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { registerDelete } from './delete.ts';
import { registerGenerate } from './generate.ts';
import { registerRotate } from './rotate.ts';
import { registerShow } from './show.ts';

export function registerAuditToken(noun: Command, open: OpenContext): void {
  registerGenerate(noun, open);
  registerRotate(noun, open);
  registerShow(noun, open);
  registerDelete(noun, open);
  addDocumentation(noun, {
    examples: [
      'orgctl audit-token show',
      'orgctl audit-token rotate --expires 90d --to file:./audit-token --if-expires-within 30d',
    ],
  });
}
