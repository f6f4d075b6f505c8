import { noun } from '../verb.ts';
import { current } from './current.ts';
import { list } from './list.ts';

export const registerFeatureSets = noun(
  [list, current],
  ['orgctl feature-sets list --eligible', 'orgctl feature-sets current'],
  'output',
);
