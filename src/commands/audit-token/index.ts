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
  addExamples(noun, [
    { command: 'orgctl audit-token show --org acme', shows: 'when it was made, used and expires' },
    {
      command: 'orgctl audit-token rotate --org acme --expires 90d --to file:./audit-token',
      shows: 'replace it, and never lose the new secret',
    },
    {
      command: 'orgctl audit-token generate --org acme --expires 90d --yes > audit-token',
      shows: 'replace it, the new secret into a file',
    },
  ]);
}
