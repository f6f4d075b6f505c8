import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { UsageError } from '../lib/errors.ts';
import { readPrivateFile, removeLeftover, writePrivateFile } from '../lib/files.ts';
import { listSubfolders, makePrivateFolder } from '../lib/folders.ts';
import { withLock } from '../lib/lock.ts';
import type { Runtime } from '../lib/runtime.ts';
import { describeToken, isDescribed, type NamedToken, parseBaseDescription } from './token.ts';

const FILE = 'rotation.json';

const token = {
  id: v.optional(v.string()),
  createdAt: v.optional(v.string()),
  expiredAt: v.optional(v.nullable(v.string())),
};

const stateSchema = v.object({
  version: v.literal(1),
  /** The service has shown the token once: only then does a 404 mean that there is none. */
  shown: v.optional(v.boolean()),
  /** A POST left, or was about to. `before`: the current id then, null for none, absent if the service didn't show it. */
  sent: v.optional(
    v.object({ at: v.string(), before: v.optional(v.nullable(v.string())), description: v.optional(v.string()) }),
  ),
  /** The new token, until every place has it. */
  pending: v.optional(v.object({ ...token, description: v.optional(v.string()), secret: v.string() })),
  /** The last token that was delivered. */
  delivered: v.optional(v.object({ ...token, fingerprint: v.string() })),
  /** Old tokens that are still to be deleted, and from when on they may be. */
  retiring: v.optional(v.array(v.object({ id: v.string(), from: v.string() }))),
});

export type RotationState = v.InferOutput<typeof stateSchema>;

/** Where the state of tokens is kept. */
export interface StatePlace {
  stateFolder: string;
  /** The host of the service, or `sandbox`. */
  service: string;
}

/** One file per token, replaced as a whole: what a killed run leaves, the next run finishes. */
export interface RotationStore {
  path: string;
  /** Throws UsageError for a file that is damaged, or that others can read. */
  read(): RotationState;
  /** Throws the system's error. */
  write(state: RotationState): void;
}

export interface LockOptions {
  /** Milliseconds. */
  wait: number;
  runtime: Runtime;
  signal: AbortSignal;
}

/** Runs `act` while no other process changes this token. Throws `busy`. */
export async function withRotationStore<T>(
  place: StatePlace,
  token: NamedToken,
  options: LockOptions,
  act: (store: RotationStore) => Promise<T>,
): Promise<T> {
  const folder = join(place.stateFolder, formatFolder(place.service), token.org.toLowerCase(), nameFolder(token));
  makePrivateFolder(folder);
  const what = `command that changes ${describeToken(token)}`;
  const hint = 'Run it again later; rotate can wait with --lock-wait.';
  return withLock(join(folder, 'rotation.lock'), { ...options, what, hint }, () =>
    act(openStore(folder, options.runtime)),
  );
}

/** Tokens of this service that a rotation has not finished, such as `audit-trail of acme`. Throws UsageError as `read` does. */
export function listUnfinished({ stateFolder, service }: StatePlace, user: number | undefined): string[] {
  const folder = join(stateFolder, formatFolder(service));
  return listSubfolders(folder).flatMap((org) =>
    listSubfolders(join(folder, org)).flatMap((token) => {
      const { pending, sent } = readState(join(folder, org, token, FILE), user);
      return pending || sent ? `${token.startsWith('team-') ? 'a team token' : token} of ${org}` : [];
    }),
  );
}

function openStore(folder: string, { user }: Runtime): RotationStore {
  const path = join(folder, FILE);
  removeLeftover(path);
  return {
    path,
    read: () => readState(path, user),
    write: (state) => writePrivateFile(path, `${JSON.stringify(state, null, 2)}\n`),
  };
}

function readState(path: string, user: number | undefined): RotationState {
  const text = readPrivateFile(path, user);
  if (text === undefined) return { version: 1 };
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), stateSchema), text);
  if (result.success) return result.output;
  throw new UsageError(`${path} is damaged`, {
    hint: 'It may hold the only copy of the current token: look at it before you move it away.',
  });
}

/** A port stands behind a colon, which Windows allows in no name. */
function formatFolder(service: string): string {
  return service.replace(':', '_');
}

/** The team by its id, since its name may change, and a description without what a rotation added to it. */
function nameFolder(token: NamedToken): string {
  if (!('team' in token)) return token.kind;
  const parts = [token.team.id, ...(isDescribed(token) ? [parseBaseDescription(token.description)] : [])];
  return `team-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)}`;
}
