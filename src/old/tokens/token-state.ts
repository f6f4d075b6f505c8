import { createHash } from 'node:crypto';
import type { Context } from '../context/context.ts';
import { OrgctlError } from '../errors.ts';
import { withLock } from '../files/process-lock.ts';
import { findPlanted } from '../files/strangers.ts';
import { createMetadataReader, isRouteKnown } from '../rotation/current-token.ts';
import { createJournal, type JournalToken, toLockPlace } from '../rotation/journal.ts';
import { toRotationName } from '../rotation/names.ts';
import type { Service } from '../service/service.ts';
import { AUDIT_TRAIL, toNoun, toTokenPlace, type WhichToken } from './which-token.ts';

const LATER = 'Run this again when it has ended.';

export type TokenState = ReturnType<typeof openTokenState>;

/** What is kept here of a token. Throws UsageError where another user may have put it there. */
export function openTokenState({ identity, places }: Context, which: WhichToken = AUDIT_TRAIL) {
  const { host, interrupts } = places;
  const organization = identity.organization();
  const name = toFolderName(which);
  const directory = name === undefined ? places.organizationStateDirectory() : places.tokenStateDirectory(name);
  const planted = findPlanted(directory, host, {
    so: 'what rotations need is not kept there',
    hint: 'Set ORGCTL_STATE_DIR to a folder where only you and root can write.',
  });
  if (planted !== undefined) throw planted;
  const unique = places.uniqueName();
  const token = toJournalToken(which);
  const journal = createJournal(directory, { unique, user: host.user, ...(token === undefined ? {} : { token }) });
  const describe = toRotationName({ organization, noun: toNoun(which) });
  return {
    directory,
    unique,
    journal,
    /** Of the one token in its place, which a new one replaces. */
    createReader({ tokens }: Pick<Service, 'tokens'>) {
      const place = toTokenPlace(which, organization);
      const origin = identity.serviceOrigin();
      const isEverywhere = which.kind !== 'audit-trail';
      return createMetadataReader({ show: () => tokens.show(place) }, { organization, origin }, journal, isEverywhere);
    },
    /** Throws BusyError at once where another run changes the token. */
    hold: <T>(act: () => Promise<T>) =>
      withLock(
        toLockPlace(directory),
        { ...host, wait: 0, signal: interrupts.signal, unique, describe, hint: LATER },
        act,
      ),
  };
}

/** Whether the service is known to show audit trail tokens: by an earlier run of this organization, or by its address. */
export function isAuditRouteKnown(context: Context): boolean {
  return findProof(context) ?? isRouteKnown(context.identity.serviceOrigin(), false);
}

/** What can't be read proves nothing. */
function findProof(context: Context): boolean | undefined {
  try {
    return openTokenState(context).journal.read().metadata;
  } catch (error) {
    if (error instanceof OrgctlError) return undefined;
    throw error;
  }
}

/** One for each token, whatever its team is called. That of the audit trail token is its organization's. */
function toFolderName(which: WhichToken): string | undefined {
  if (which.kind !== 'team') return which.kind === 'audit-trail' ? undefined : which.kind;
  const parts = [which.team.id, ...(which.description === undefined ? [] : [which.description])];
  return `team-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`;
}

function toJournalToken(which: WhichToken): JournalToken | undefined {
  if (which.kind === 'audit-trail') return undefined;
  if (which.kind !== 'team') return { kind: which.kind };
  const { team, description } = which;
  return { kind: which.kind, team: team.id, ...(description === undefined ? {} : { description }) };
}
