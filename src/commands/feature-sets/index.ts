import { noun } from '../verb.ts';
import { compare } from './compare.ts';
import { current } from './current.ts';
import { list } from './list.ts';

export const registerFeatureSets = noun(
  [list, compare, current],
  ['orgctl feature-sets list --eligible', 'orgctl feature-sets current'],
  'output',
);
