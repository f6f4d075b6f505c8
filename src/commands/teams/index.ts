import { add } from './add.ts';
import { list } from './list.ts';
import { members } from './members.ts';
import { remove } from './remove.ts';

export const verbs = { list, members, add, remove };
