import { login } from './login.ts';
import { logout } from './logout.ts';
import { status } from './status.ts';
import { use } from './use.ts';

export const verbs = { login, logout, status, use };
