import { join } from 'node:path';
import type { Host } from '../host.ts';
import type { Interrupts } from '../interrupts.ts';
import { organizationStateDirectory, serviceStateDirectory } from '../rotation/state-directory.ts';
import { resolveStateDirectory } from '../settings/directories.ts';
import type { SettingsStore } from '../settings/store.ts';
import { once } from './once.ts';

/** This machine: its folders, files and names, its clock, and the signals it sends. */
export interface Places {
  readonly host: Host;
  readonly interrupts: Interrupts;
  readonly store: SettingsStore;
  /** Where orgctl remembers things of all organizations. Throws UsageError where there is no home folder. */
  stateDirectory(): string;
  serviceStateDirectory(): string;
  organizationStateDirectory(): string;
  sandboxState(): string;
  /** For file names; never used twice. */
  uniqueName(): string;
}

export interface PlacesOptions {
  readonly host: Host;
  readonly interrupts: Interrupts;
  readonly store: SettingsStore;
  serviceOrigin(): string;
  organization(): string;
}

export function createPlaces({ host, interrupts, store, serviceOrigin, organization }: PlacesOptions): Places {
  const stateDirectory = once(() => resolveStateDirectory(host));
  return {
    host,
    interrupts,
    store,
    stateDirectory,
    serviceStateDirectory: () => serviceStateDirectory(stateDirectory(), serviceOrigin()),
    organizationStateDirectory: () => organizationStateDirectory(stateDirectory(), serviceOrigin(), organization()),
    sandboxState: () => join(stateDirectory(), 'sandbox', 'state.sqlite'),
    uniqueName: () => Buffer.from(host.randomBytes(8)).toString('hex'),
  };
}
