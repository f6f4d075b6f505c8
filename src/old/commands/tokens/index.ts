import { noun } from '../verb.ts';
import { deletion } from './delete.ts';
import { list } from './list.ts';
import { rotate } from './rotate.ts';

export const registerTokens = noun(
  [list, rotate, deletion],
  [
    'orgctl tokens list --all-orgs --expires-within 60d',
    "orgctl tokens rotate team:platform/ci --expires 90d --to exec:'gh secret set TFE_TOKEN'",
  ],
  'rotation',
);
