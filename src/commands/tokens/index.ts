import { noun } from '../verb.ts';
import { deletion } from './delete.ts';
import { list } from './list.ts';
import { policy } from './policy.ts';

export const registerTokens = noun(
  [list, deletion, policy],
  ['orgctl tokens list --all-orgs --expires-within 60d', 'orgctl tokens delete team:platform/ci --yes'],
);
