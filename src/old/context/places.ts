import { join } from 'node:path';
import type { Host } from '../host.ts';
import type { Interrupts } from '../interrupts.ts';
import { once } from '../once.ts';
import {
  organizationStateDirectory,
  resolveStateDirectory,
  serviceStateDirectory,
  tokenStateDirectory,
} from '../settings/directories.ts';
import type { SettingsStore } from '../settings/store.ts';
import { checkAuthority } from './connection.ts';

export type Places = ReturnType<typeof createPlaces>;

/** This machine: its folders, files and names, its clock, and the signals it sends. */
export function createPlaces(
  { host, interrupts }: { readonly host: Host; readonly interrupts: Interrupts },
  store: SettingsStore,
  { serviceOrigin, organization }: { serviceOrigin(): string; organization(): string },
) {
  const stateDirectory = once(() => resolveStateDirectory(host));
  return {
    host,
    interrupts,
    store,
    /** Throws UsageError for a file that has no certificate of an authority. */
    checkAuthority,
    /** Where orgctl remembers things of all organizations. Throws UsageError where there is no home folder. */
    stateDirectory,
    serviceStateDirectory: () => serviceStateDirectory(stateDirectory(), serviceOrigin()),
    organizationStateDirectory: () => organizationStateDirectory(stateDirectory(), serviceOrigin(), organization()),
    /** Of a token of the organization. `name`: a name on every system. */
    tokenStateDirectory: (name: string) =>
      tokenStateDirectory(organizationStateDirectory(stateDirectory(), serviceOrigin(), organization()), name),
    /** The file that `--sandbox` keeps its state in. */
    sandboxState: () => join(stateDirectory(), 'sandbox', 'state.sqlite'),
    /** For file names; never used twice. */
    uniqueName: () => Buffer.from(host.randomBytes(8)).toString('hex'),
  };
}
