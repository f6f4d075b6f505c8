import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addExamples } from '../options.ts';
import { registerLogin } from './login.ts';
import { registerLogout } from './logout.ts';
import { registerStatus } from './status.ts';

export function registerAuth(noun: Command, open: OpenContext): void {
  registerLogin(noun, open);
  registerStatus(noun, open);
  registerLogout(noun, open);
  addExamples(noun, {
    'orgctl auth login < token': 'a token from a file, or from any program that prints one',
    'orgctl auth status': 'which token is in force, and what it is',
  });
}
