import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { registerAccept } from './accept.ts';
import { registerInfo } from './info.ts';
import { registerReset } from './reset.ts';
import { registerServe } from './serve.ts';

export function registerSandbox(noun: Command, open: OpenContext): void {
  registerServe(noun, open);
  registerInfo(noun, open);
  registerAccept(noun, open);
  registerReset(noun, open);
  addDocumentation(noun, { examples: ['orgctl sandbox info', 'orgctl --sandbox members list'] });
}
