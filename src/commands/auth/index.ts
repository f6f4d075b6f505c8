import { noun } from '../verb.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { status } from './status.ts';

export const registerAuth = noun([login, status, logout], ['orgctl auth login < token', 'orgctl auth status']);
