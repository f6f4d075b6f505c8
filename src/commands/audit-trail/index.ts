import { follow } from './follow.ts';
import { list } from './list.ts';

export const verbs = { list, follow };
