import { noun } from '../verb.ts';
import { deletion } from './delete.ts';
import { generate } from './generate.ts';
import { rotate } from './rotate.ts';
import { show } from './show.ts';

export const registerAuditToken = noun(
  [show, rotate, generate, deletion],
  [
    'orgctl audit-token show',
    'orgctl audit-token rotate --expires 90d --to file:./audit-token --if-expires-within 30d',
  ],
  'rotation',
);
