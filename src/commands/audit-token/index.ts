import { deletion } from './delete.ts';
import { generate } from './generate.ts';
import { rotate } from './rotate.ts';
import { show } from './show.ts';

export const verbs = { show, generate, rotate, delete: deletion };
