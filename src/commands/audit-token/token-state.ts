import type { Context } from '../../context/context.ts';
import { createMetadataReader, type MetadataReader } from '../../rotation/current-token.ts';
import { createJournal, type Journal } from '../../rotation/journal.ts';
import { holdLock } from '../../rotation/lock.ts';
import type { Service } from '../../service/service.ts';

/** What is kept here of the organization's token. */
export interface TokenState {
  readonly directory: string;
  readonly unique: string;
  readonly journal: Journal;
  createReader(service: Pick<Service, 'auditTokens'>): MetadataReader;
  /** Throws BusyError at once where another run changes the token. */
  hold<T>(act: () => Promise<T>): Promise<T>;
}

export function openTokenState({ identity, places }: Context): TokenState {
  const { host, interrupts } = places;
  const organization = identity.organization();
  const directory = places.organizationStateDirectory();
  const unique = places.uniqueName();
  const journal = createJournal(directory, { unique, user: host.user });
  const { signal } = interrupts;
  return {
    directory,
    unique,
    journal,
    createReader: ({ auditTokens }) =>
      createMetadataReader(auditTokens, { organization, origin: identity.serviceOrigin() }, journal),
    hold: (act) =>
      holdLock(directory, { ...host, wait: 0, signal, unique, describe: `rotation of ${organization}` }, act),
  };
}
