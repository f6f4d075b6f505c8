import { get } from './get.ts';
import { list } from './list.ts';
import { set } from './set.ts';
import { unset } from './unset.ts';

export const verbs = { list, get, set, unset };
