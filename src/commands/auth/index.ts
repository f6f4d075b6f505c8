import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { registerLogin } from './login.ts';
import { registerLogout } from './logout.ts';
import { registerStatus } from './status.ts';

export function registerAuth(noun: Command, open: OpenContext): void {
  registerLogin(noun, open);
  registerStatus(noun, open);
  registerLogout(noun, open);
  addDocumentation(noun, { examples: ['orgctl auth login < token', 'orgctl auth status'] });
}
