import { deletion } from './delete.ts';
import { list } from './list.ts';
import { rotate } from './rotate.ts';

export const verbs = { list, rotate, delete: deletion };
