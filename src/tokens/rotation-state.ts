import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Token } from '../api/tokens.ts';
import { findStateFolder } from '../config/folders.ts';
import type { Settings } from '../config/resolve.ts';
import { isFailure, OrgctlError, UsageError } from '../lib/errors.ts';
import type { ExitName } from '../lib/exit-codes.ts';
import { formatFileError, removeLeftovers, writePrivateFile } from '../lib/files.ts';
import { type LockOptions, withLock } from '../lib/lock.ts';
import { listSubfolders, makePrivateFolder, readOwnFile } from '../lib/own-files.ts';
import type { Runtime } from '../lib/runtime.ts';
import { describeToken, getTeam, parseBaseDescription } from './token.ts';

const FILE = 'rotation.json';

const optionalText = v.optional(v.string());

const times = { id: optionalText, createdAt: optionalText, expiredAt: v.optional(v.nullable(v.string())) };

const stateSchema = v.object({
  version: v.literal(1),
  /** The service has shown the token once, so a 404 means that there is none. */
  shown: v.optional(v.boolean()),
  /** A POST left, or was about to. `before`: the current id then, null for none, absent if the service didn't show it. */
  sent: v.optional(v.object({ at: v.string(), before: v.optional(v.nullable(v.string())), description: optionalText })),
  /** The new token, until every place has it and, if it has a description, its secret has answered. */
  pending: v.optional(v.object({ ...times, description: optionalText, secret: v.string() })),
  /** The last token that was delivered, and where to. */
  delivered: v.optional(
    v.object({
      ...times,
      description: optionalText,
      fingerprint: v.string(),
      places: v.optional(v.array(v.object({ name: v.string(), id: v.string() }))),
    }),
  ),
  /**
   * Tokens that are still to be deleted, by their ids or, until a list shows those, by their descriptions; and from when on they
   * may be. `isRefused`: the service has refused the secret.
   */
  retiring: v.optional(
    v.array(
      v.object({ id: optionalText, description: optionalText, from: optionalText, isRefused: v.optional(v.boolean()) }),
    ),
  ),
});

export type RotationState = v.InferOutput<typeof stateSchema>;
export type Retiring = NonNullable<RotationState['retiring']>[number];

/** Where the states of a service's tokens are. */
export function findStatesFolder(runtime: Runtime, settings: Pick<Settings, 'base-url'>, isSandbox: boolean): string {
  // Windows allows no colon in a name.
  const service = isSandbox ? 'sandbox' : new URL(settings['base-url'].value).host.replace(':', '_');
  return join(findStateFolder(runtime), service);
}

/** One file per token, replaced as a whole: the next run finishes what a killed run left. */
export interface RotationStore {
  /** Throws UsageError for a file that is damaged, or that others can read. */
  read(): RotationState;
  /** Throws an OrgctlError with this exit, by default `failure`. */
  write(state: RotationState, exit?: ExitName): void;
}

type StoreOptions = Omit<LockOptions, 'what' | 'hint'> & { runtime: Pick<Runtime, 'user'>; isDryRun: boolean };

/** Runs `act` while no other process changes this token. A dry run takes no lock, and writes nothing. Throws `busy`. */
export async function withRotationStore<T>(
  states: string,
  token: Token,
  options: StoreOptions,
  act: (store: RotationStore) => Promise<T>,
): Promise<T> {
  const folder = join(states, token.org.toLowerCase(), formatTokenFolder(token));
  const path = join(folder, FILE);
  const read = () => readState(path, options.runtime.user);
  if (options.isDryRun) return act({ read, write: () => undefined });
  makePrivateFolder(folder);
  const what = `command that changes ${describeToken(token)}`;
  const hint = 'Run it again later; rotate can wait with --lock-wait.';
  return withLock(join(folder, 'rotation.lock'), { ...options, what, hint }, () => {
    removeLeftovers(path);
    const write = (state: RotationState, exit: ExitName = 'failure'): void => {
      try {
        writePrivateFile(path, `${JSON.stringify(state, null, 2)}\n`);
      } catch (error) {
        throw new OrgctlError(exit, `can't write ${path}: ${formatFileError(error)}`, { cause: error });
      }
    };
    return act({ read, write });
  });
}

/** Returns why the state could not be written. */
export function tryWrite(store: RotationStore, state: RotationState): OrgctlError | undefined {
  try {
    store.write(state);
    return undefined;
  } catch (error) {
    if (!isFailure(error)) throw error;
    return error;
  }
}

/** Tokens of this service that a rotation has not finished, such as `audit-trail of acme`. Throws UsageError as `read` does. */
export function listUnfinished(states: string, user: number | undefined): string[] {
  return listSubfolders(states).flatMap((org) =>
    listSubfolders(join(states, org)).flatMap((token) => {
      const { pending, sent } = readState(join(states, org, token, FILE), user);
      return pending || sent ? `${token.startsWith('team-') ? 'a team token' : token} of ${org}` : [];
    }),
  );
}

function readState(path: string, user: number | undefined): RotationState {
  const text = readOwnFile(path, user, 'read');
  if (text === undefined) return { version: 1 };
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), stateSchema), text);
  if (result.success) return result.output;
  throw new UsageError(`${path} is damaged`, {
    hint: 'It may hold the only copy of the current token: look at it before you move it away.',
  });
}

function formatTokenFolder(token: Token): string {
  const team = getTeam(token);
  if (!team) return token.kind;
  // The name of a team may change, its id doesn't.
  const parts = [team.id, ...(token.kind === 'described' ? [parseBaseDescription(token.description)] : [])];
  return `team-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)}`;
}
