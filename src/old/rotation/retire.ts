import { describeError, OrgctlError } from '../errors.ts';
import { isSignal } from '../interrupts.ts';
import type { Retirement } from './deliver.ts';
import { isConditional } from './expiry-check.ts';
import { isClaimed, isTimeUp, isValid, type JournalState, type RetiringToken, toWords } from './journal.ts';
import { createJournalWriter, withRetiring } from './journal-writer.ts';
import type { Beside, NeighbourFacts, RetiredToken, RotationInput, RotationWorld } from './types.ts';

/**
 * Deletes old tokens by their ids, once their new one works. That a deletion begins is on disk before it is sent: then an
 * absent token is gone by it. Throws signals alone. `secret`: of the new token, which asks where the old one is the token that asks:
 * that one is the last. `isWanted`: whether one of this id is looked at. `kept`: those that an earlier run left.
 */
export async function retire(
  state: JournalState,
  input: Pick<RotationInput, 'allowSelf' | 'ifExpiresWithin' | 'ifOlderThan' | 'noun' | 'organization'>,
  world: Pick<RotationWorld, 'journal' | 'note' | 'now' | 'token' | 'warn'> & {
    readonly token: { readonly beside: Beside };
  },
  secret?: string,
  isWanted = (_id: string): boolean => true,
  kept: readonly RetiringToken[] = [],
): Promise<Retirement & { readonly state: JournalState }> {
  const { beside } = world.token;
  const retired: RetiredToken[] = [];
  let problem: OrgctlError | undefined;
  let now = state;
  const write = async (retiring: readonly RetiringToken[]): Promise<boolean> => {
    now = withRetiring(now, retiring);
    return await createJournalWriter(world, now).trySave();
  };
  const others = (id: string): readonly RetiringToken[] => (now.retiring ?? []).filter((each) => each.id !== id);

  const wanted = (state.retiring ?? []).filter(({ id }) => isWanted(id));
  for (const retiring of wanted.sort((one, other) => Number(beside.isSelf(one.id)) - Number(beside.isSelf(other.id)))) {
    if (isWaiting(state, retiring)) continue;
    const { id, description } = retiring;
    const which = { id, ...(description === undefined ? {} : { description }) };
    const name = toWords(retiring);
    const stays = (why: string, hint: string, ...next: readonly string[][]): void => {
      world.warn(`the old token ${name} is still valid: ${why}`);
      retired.push({ ...which, deleted: false });
      problem ??= new OrgctlError('attention', `the old token ${name} could not be deleted`, {
        code: 'not-deleted',
        reasons: [why],
        hint,
        next,
      });
    };
    try {
      const isOver = isTimeUp(retiring, world.now());
      const isKept = kept.some((each) => each.id === id);
      const shown = isOver ? await beside.look(id) : await lookAtKept(beside, id, isKept);
      if (shown === undefined) {
        const isExpected = retiring.begun === true || retiring.lost === true;
        const strangers = isExpected ? [] : await listStrangers(beside, now);
        if (!isExpected && strangers.length === 0 && isKept) {
          world.note(`The old token ${name}, which was kept, was deleted elsewhere.`);
        } else {
          if (!isExpected) problem ??= toGone(name, input, strangers);
          retired.push({ ...which, deleted: true });
        }
        await write(others(id));
        continue;
      }
      if (!isOver || shown === 'unseen') {
        retired.push({ ...toKept(retiring), ...(beside.isSelf(id) ? { self: true } : {}) });
        continue;
      }
      if (isClaimed(retiring, shown)) {
        await write(others(id));
        stays('it was used, so someone has its secret', 'Find out who uses it, and delete it by its id.');
        continue;
      }
      // Without the one that was delivered it may be the only one.
      if (!isValid(state.last && (await beside.look(state.last.id, true)), world.now())) {
        stays(
          'the token that was delivered in its place is gone, or has expired',
          'Create another one: the same command with --create-missing then deletes this one.',
        );
        continue;
      }
      const isSelf = beside.isSelf(id);
      if (isSelf && input.allowSelf !== true) {
        stays(
          'it is, or may be, the token that asks',
          'Run the same command again with the new token, or add --allow-self.',
        );
        continue;
      }
      const { ownFingerprint: self } = beside;
      if (isSelf && self !== undefined) now = { ...now, self };
      const begun: RetiringToken = { ...retiring, begun: true };
      if (!(await write([...others(id), begun]))) {
        stays("the journal can't be written", 'Free some space, and run the same command again.');
        continue;
      }
      await beside.remove(id, isSelf ? secret : undefined);
      retired.push({ ...which, deleted: true, ...(isSelf ? { self: true } : {}) });
      await write(others(id));
    } catch (error) {
      if (isSignal(error)) throw error;
      const why = describeError(error);
      if (isConditional(input)) stays(why, 'Run the same command again: it deletes it.');
      else {
        const hint = 'Run again, the same command deletes it and creates another token. To delete it alone:';
        stays(why, hint, ['orgctl', 'tokens', 'delete', id]);
      }
    }
  }
  return { state: now, retired, ...(problem === undefined ? {} : { problem }) };
}

/** One that is kept need not be seen, only one that is gone. `isListed`: the list as it was read last will do. */
export async function lookAtKept(
  beside: Beside,
  id: string,
  isListed: boolean,
): Promise<NeighbourFacts | 'unseen' | undefined> {
  return await beside.look(id, isListed).catch((error: unknown) => {
    if (isSignal(error)) throw error;
    return 'unseen';
  });
}

/** A lost one of a killed run stays until there is a new token. */
export function isWaiting({ open }: JournalState, { lost }: RetiringToken): boolean {
  return lost === true && open !== undefined;
}

/** One whose time has not come. */
export function toKept({ id, description, from }: RetiringToken): RetiredToken {
  return { id, ...(description === undefined ? {} : { description }), deleted: false, 'kept-until': from };
}

/** Those with the same description that no run from here knows of. */
async function listStrangers(beside: Beside, { last, open, retiring = [] }: JournalState): Promise<readonly string[]> {
  const known = [last?.id, open?.minted?.id, ...retiring.map(({ id }) => id)];
  const isKnown = ({ id, description }: NeighbourFacts): boolean =>
    known.includes(id) || (open !== undefined && description === open.description);
  return (await beside.list()).filter((each) => !isKnown(each)).map(toWords);
}

/** Someone else deleted it, and may have created another one in its place. */
function toGone(
  name: string,
  { organization, noun }: Pick<RotationInput, 'noun' | 'organization'>,
  strangers: readonly string[],
): OrgctlError {
  return new OrgctlError('busy', `the old token ${name} was deleted elsewhere`, {
    code: 'changed-meanwhile',
    reasons: [
      strangers.length === 0
        ? `No other ${noun} of ${organization} exists.`
        : `Another new one exists: ${strangers.join(', ')}.`,
    ],
    hint: 'The new token was delivered, and works. Find out what else rotates it.',
  });
}
