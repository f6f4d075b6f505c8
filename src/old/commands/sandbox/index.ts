import { noun } from '../verb.ts';
import { accept } from './accept.ts';
import { info } from './info.ts';
import { reset } from './reset.ts';
import { serve } from './serve.ts';

export const registerSandbox = noun(
  [serve, info, accept, reset],
  ['orgctl sandbox info', 'orgctl --sandbox members list'],
  'sandbox',
);
