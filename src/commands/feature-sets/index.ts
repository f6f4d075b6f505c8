import { current } from './current.ts';
import { list } from './list.ts';

export const verbs = { list, current };
