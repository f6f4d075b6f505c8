import { join } from 'node:path';
import { foldName } from '../names.ts';

export function serviceStateDirectory(stateDirectory: string, origin: string): string {
  return join(stateDirectory, toDirectoryName(origin));
}

export function organizationStateDirectory(stateDirectory: string, origin: string, organization: string): string {
  return join(serviceStateDirectory(stateDirectory, origin), toDirectoryName(foldName(organization)));
}

/** One name below its folder on every system: dots at the ends lead elsewhere or are lost, a star is not allowed. */
function toDirectoryName(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('*', '%2A')
    .replace(/^\.+|(?<!\.)\.+$/g, (dots) => '%2E'.repeat(dots.length));
}
