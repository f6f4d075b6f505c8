import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addExamples } from '../options.ts';
import { registerAccept } from './accept.ts';
import { registerInfo } from './info.ts';
import { registerReset } from './reset.ts';
import { registerServe } from './serve.ts';

export function registerSandbox(noun: Command, open: OpenContext): void {
  registerServe(noun, open);
  registerInfo(noun, open);
  registerAccept(noun, open);
  registerReset(noun, open);
  addExamples(noun, {
    'orgctl sandbox info': 'the organizations to play with',
    'orgctl --sandbox members list': 'any command works on it',
  });
}
