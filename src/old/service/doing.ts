import type { WireRequest } from './http.ts';

/** What a person who waits for a request is shown, from the words of its operation. */

const READINGS: Readonly<Record<string, string>> = {
  list: 'Reading',
  show: 'Reading',
  read: 'Reading',
  find: 'Finding',
  download: 'Downloading',
};
const WRITES: Readonly<Record<string, string>> = {
  accept: 'Accepting',
  add: 'Adding',
  create: 'Creating',
  delete: 'Deleting',
  generate: 'Creating',
  invite: 'Inviting',
  remove: 'Removing',
  replace: 'Replacing',
  revoke: 'Revoking',
  send: 'Sending',
  upload: 'Uploading',
};

/** `Reading the members of acme`. A reading before a write is named like that write, and changes nothing. */
export function describeDoing({ effect, method }: Pick<WireRequest, 'effect' | 'method'>): string {
  const [verb = '', ...rest] = effect.split(' ');
  const isReading = method === 'GET' || method === 'HEAD';
  if (verb === 'send' && isReading) return ['Reading', ...rest.slice(1)].join(' ');
  const doing = (isReading ? READINGS : WRITES)[verb];
  if (doing !== undefined) return [doing, ...rest].join(' ');
  if (!isReading) return 'Waiting for the answer';
  return verb === 'invite' ? 'Checking who is there' : 'Checking what is there';
}
