import { accept } from './accept.ts';
import { info } from './info.ts';
import { reset } from './reset.ts';
import { serve } from './serve.ts';

export const verbs = { serve, info, accept, reset };
