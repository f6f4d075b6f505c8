import { noun } from '../verb.ts';
import { follow } from './follow.ts';
import { list } from './list.ts';

export const registerAuditTrail = noun(
  [list, follow],
  [
    'orgctl audit-trail list --since 2d',
    'orgctl audit-trail follow --cursor ./acme.json --once -o ndjson >> audit.ndjson',
  ],
  'output',
);
