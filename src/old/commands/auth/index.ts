import { noun } from '../verb.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { status } from './status.ts';
import { use } from './use.ts';

export const registerAuth = noun(
  [login, status, logout, use],
  ['orgctl auth login < token', 'orgctl auth status'],
  'environment',
);
