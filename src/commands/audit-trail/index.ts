import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { registerFollow } from './follow.ts';
import { registerList } from './list.ts';

export function registerAuditTrail(noun: Command, open: OpenContext): void {
  registerList(noun, open);
  registerFollow(noun, open);
  addDocumentation(noun, {
    examples: [
      'orgctl audit-trail list --since 2d',
      'orgctl audit-trail follow --cursor ./acme.json --once -o ndjson >> audit.ndjson',
    ],
  });
}
