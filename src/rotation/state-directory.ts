import { join } from 'node:path';

/** The folder for what orgctl remembers of one service. */
export function serviceStateDirectory(stateDirectory: string, origin: string): string {
  return join(stateDirectory, toDirectoryName(origin));
}

/** The folder for what orgctl remembers of one organization of one service. */
export function organizationStateDirectory(stateDirectory: string, origin: string, organization: string): string {
  return join(serviceStateDirectory(stateDirectory, origin), toDirectoryName(organization.toLowerCase()));
}

/** One name below its folder on every system: dots at the ends lead elsewhere or are lost, a star is not allowed. */
function toDirectoryName(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('*', '%2A')
    .replace(/^\.+|(?<!\.)\.+$/g, (dots) => '%2E'.repeat(dots.length));
}
