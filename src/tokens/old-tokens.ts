import { type DescribedToken, deleteTokenById, parseTimes, showTokenById } from '../api/tokens.ts';
import type { Resource } from '../api/types.ts';
import { isFailure, isSignal, OrgctlError } from '../lib/errors.ts';
import { matchCaller } from './caller.ts';
import type { Cleanup, Rotation } from './rotation.ts';
import type { Retiring, RotationState } from './rotation-state.ts';
import { describeToken } from './token.ts';

export const SELF_HINT = 'Use another token, or add --allow-self.';

type Name = Pick<Retiring, 'id' | 'description'>;
/** Undefined if the tokens can't be listed. */
type List = () => Promise<Resource[] | undefined>;

/** Finds a token by its id or, if that is not known, by its description. */
export function findListed(listed: Resource[], { id, description }: Name): Resource | undefined {
  return listed.find((one) =>
    id === undefined ? description !== undefined && one.attributes?.description === description : one.id === id,
  );
}

/** The tokens that may be deleted by now: while another is pending, only those whose own secret was refused. */
export function listRetiring({ retiring = [], pending }: RotationState, now: number): Retiring[] {
  return retiring.filter(({ from, isRefused }) =>
    pending ? isRefused : from === undefined || Date.parse(from) <= now,
  );
}

export function mayDelete({ token, caller, allowSelf }: Rotation<DescribedToken>, id: string | undefined): boolean {
  return allowSelf || matchCaller(caller, token, id) === 'no';
}

/** Deletes the old tokens, the caller's token last. One that has to stay does not stop the others. */
export async function deleteRetiring(
  rotation: Rotation<DescribedToken>,
  state: RotationState,
  secret: string | undefined,
  list: List,
): Promise<Cleanup> {
  const { token, caller, store, openClient, runtime, done } = rotation;
  const isSelf = ({ id }: Retiring): boolean => matchCaller(caller, token, id) === 'yes';
  const old = listRetiring(state, runtime.now()).sort((one, other) => Number(isSelf(one)) - Number(isSelf(other)));
  const result: Cleanup = { deleted: [] };
  let { retiring } = state;
  for (const one of old) {
    try {
      const id = one.id ?? (await findId(one, state, secret, list));
      if (id !== undefined) {
        if (id === state.delivered?.id) throw new OrgctlError('attention', 'it is the one that was delivered');
        if (!mayDelete(rotation, id)) {
          throw new OrgctlError('attention', 'it is, or may be, the token you are using', { hint: SELF_HINT });
        }
        // The run that has proved the new secret knows its successor, and a refused token needs none.
        if (secret === undefined && !one.isRefused) await assertSuccessor(rotation, state);
        // The caller's token may have ended, so the new one deletes it.
        const client = secret !== undefined && isSelf(one) ? await openClient(secret) : rotation.client;
        await deleteTokenById(client, id, async () => isGone({ id }, state, await list()));
        done(`Deleted the old one (${id})`);
        result.deleted.push(id);
      }
      retiring = retiring?.filter((other) => other !== one);
      store.write({ ...state, retiring });
    } catch (error) {
      // The rotation has succeeded even if a signal ends the run.
      if (isSignal(error)) return result;
      if (!isFailure(error)) throw error;
      const name = one.id ?? `"${one.description}"`;
      const outcome = result.deleted.includes(name) ? 'is deleted, but that could not be noted' : 'stays';
      result.failure ??= new OrgctlError('attention', `the old ${describeToken(token)} ${outcome}: ${name}`, {
        code: 'not-deleted',
        reasons: [error.message, ...error.reasons],
        hint: error.hint ?? 'Run the same command again to delete it.',
        cause: error,
      });
    }
  }
  return result;
}

/** Undefined if the token is gone. Throws `attention` while no list has shown it. */
async function findId(one: Retiring, state: RotationState, secret: string | undefined, list: List) {
  const listed = await list();
  const found = listed && findListed(listed, one);
  // A list may show a new token late, and not each of them equally late.
  if (found || (secret === undefined && isGone(one, state, listed))) return found?.id;
  throw new OrgctlError('attention', 'no list shows it yet');
}

/** A 404 is no proof: a token is gone if the list lacks it, and shows the newest one that the state names. */
function isGone(old: Name, state: RotationState, listed: Resource[] | undefined): boolean {
  const newest = state.pending ?? state.delivered;
  return Boolean(listed && newest && findListed(listed, newest) && !findListed(listed, old));
}

async function assertSuccessor({ client, runtime }: Rotation, { delivered }: RotationState): Promise<void> {
  const hint = 'Run it again without conditions: it creates another, and then deletes this one.';
  if (delivered?.id === undefined)
    throw new OrgctlError('attention', 'the id of the delivered one is unknown', { hint });
  const { expiredAt } = parseTimes((await showTokenById(client, delivered.id)).attributes ?? {});
  if (typeof expiredAt !== 'string' || Date.parse(expiredAt) > runtime.now()) return;
  throw new OrgctlError('attention', 'the delivered one has expired', { hint });
}
