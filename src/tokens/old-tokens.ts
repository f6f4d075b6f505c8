import type { Client } from '../api/client.ts';
import { type DescribedToken, deleteTokenById, findTokenById, parseTimes } from '../api/tokens.ts';
import { isFailure, OrgctlError, ServiceError, UsageError } from '../lib/errors.ts';
import { isCaller } from './caller.ts';
import type { Rotation } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { describeToken } from './token.ts';

/** The ids of the old tokens that may be deleted by now. */
export function listRetiring({ retiring = [] }: RotationState, now: number): string[] {
  return retiring.filter(({ from }) => Date.parse(from) <= now).map(({ id }) => id);
}

/** Throws UsageError if the caller's token would be deleted. */
export function assertMayDelete({ token, caller, allowSelf }: Rotation<DescribedToken>, id: string): void {
  const answer = isCaller(caller, token, id);
  if (answer === 'no' || allowSelf) return;
  throw new UsageError(`${describeToken(token)} ${answer === 'yes' ? 'is' : 'may be'} the token you are using`, {
    hint: 'Use another token, or add --allow-self.',
  });
}

/** Deletes the old tokens, the caller's token last. Throws `attention` if one has to stay. */
export async function deleteRetiring(
  rotation: Rotation<DescribedToken>,
  state: RotationState,
  secret: string | undefined,
): Promise<string[]> {
  const { token, caller, runtime, store, openClient, done } = rotation;
  const isSelf = (id: string): boolean => isCaller(caller, token, id) === 'yes';
  const ids = listRetiring(state, runtime.now()).sort((one, other) => Number(isSelf(one)) - Number(isSelf(other)));
  let { retiring } = state;
  for (const id of ids) {
    assertMayDelete(rotation, id);
    await assertSuccessor(rotation, state, id);
    // The caller's token may have ended, so the new one deletes it.
    const client = secret !== undefined && isSelf(id) ? await openClient(secret) : rotation.client;
    await deleteOne(token, client, id);
    done(`Deleted the old one (${id})`);
    retiring = retiring?.filter((old) => old.id !== id);
    store.write({ ...state, retiring });
  }
  return ids;
}

/** Without the delivered token, only the old one may work. */
async function assertSuccessor({ token, client, runtime }: Rotation, { delivered }: RotationState, old: string) {
  const id = delivered?.id === old ? undefined : delivered?.id;
  const found = id === undefined ? undefined : await findTokenById(client, id);
  const { expiredAt } = parseTimes(found?.attributes ?? {});
  if (found && !(typeof expiredAt === 'string' && Date.parse(expiredAt) <= runtime.now())) return;
  throw new OrgctlError('attention', `the old token ${old} stays: the delivered one is gone, or has expired`, {
    code: 'not-deleted',
    hint: `Create another: run it again without conditions. ${describeToken(token)} then loses its old one.`,
  });
}

async function deleteOne(token: DescribedToken, client: Client, id: string): Promise<void> {
  try {
    await deleteTokenById(client, id);
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return;
    if (!isFailure(error)) throw error;
    throw new OrgctlError('attention', `the old token ${id} of ${describeToken(token)} could not be deleted`, {
      code: 'not-deleted',
      reasons: [error.message, ...error.reasons],
      hint: 'Run the same command again to delete it.',
      cause: error,
    });
  }
}
