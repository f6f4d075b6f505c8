import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addExamples } from '../options.ts';
import { registerDelete } from './delete.ts';
import { registerGenerate } from './generate.ts';
import { registerRotate } from './rotate.ts';
import { registerShow } from './show.ts';

export function registerAuditToken(noun: Command, open: OpenContext): void {
  registerGenerate(noun, open);
  registerRotate(noun, open);
  registerShow(noun, open);
  registerDelete(noun, open);
  addExamples(noun, {
    'orgctl audit-token show --org acme': 'when it was made, used and expires',
    'orgctl audit-token rotate --org acme --expires 90d --to file:./audit-token':
      'replace it, and never lose the new secret',
    'orgctl audit-token generate --org acme --expires 90d --yes > audit-token':
      'replace it, the new secret into a file',
  });
}
