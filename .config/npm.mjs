import { basename } from 'node:path';
import process from 'node:process';

/** Program and arguments: the npm that started us, or the one on the path. */
export function npm(...args) {
  const script = process.env.npm_execpath ?? '';
  return basename(script).startsWith('npm-cli') ? [process.execPath, [script, ...args]] : ['npm', args];
}
