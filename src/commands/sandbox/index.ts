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
  addExamples(noun, [
    { command: 'orgctl sandbox info', shows: 'the organizations to play with' },
    { command: 'orgctl --sandbox members list', shows: 'any command works on it' },
  ]);
}
