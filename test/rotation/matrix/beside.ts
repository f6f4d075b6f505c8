import type { Machine } from './machine.ts';
import type { Deletion, ModelService, Token } from './service.ts';
import { findDelivered, judgePosts, type RunFacts } from './verdicts.ts';

/** What is promised of a token that stands beside others, looked at from outside. */

type Service = Pick<ModelService, 'alive' | 'deletions' | 'hasEnded' | 'tokens'>;

/** Whether this secret is where it can be used: in every place, or whole in a recovery file. */
function isHeld({ secret }: Token, machine: Machine, { kinds, ended }: Where): boolean {
  const held = machine.holders(secret, ended);
  return held.length === kinds.length || machine.recoveries().some((kept) => kept.isWhole && kept.secret === secret);
}

interface Where {
  readonly kinds: RunFacts['kinds'];
  readonly ended: readonly RunFacts['end'][];
}

const CODES = [0, 2, 4, 5, 6, 7, 9, 11, 12, 13, 14, 129, 130, 143];

/** What one run promised and did not keep. `before`: how many deletions there were. */
export function judgeBeside(
  facts: RunFacts,
  service: Service,
  machines: readonly Machine[],
  where: Where,
  before: number,
): readonly string[] {
  const { end, run, machine, name, kinds } = facts;
  const found = [...judgePosts(facts.posts)];
  if (end.hung) found.push(`it never ended: ${end.stderr}`);
  if (end.code !== null && !CODES.includes(end.code)) found.push(`exit ${end.code}: ${end.stderr}`);
  const isProvenOtherwise = ['VERIFY ok', '--retire-unverified'].some((option) => run.options.includes(option));
  for (const deletion of service.deletions.slice(before).filter((each) => each.run === name)) {
    found.push(...judgeDeletion(deletion, service, machines, where, { isProvenOtherwise, isShared: facts.isShared }));
  }
  if (end.code !== 0) return found;
  const delivered = findDelivered(end, service.tokens);
  if (delivered === undefined) return found;
  // One that another machine's run replaced afterwards was judged with that run.
  const isNextDone = service.deletions.some((each) => each.token === delivered && each.run !== name);
  const isGone = !service.alive().includes(delivered) && !service.hasEnded(delivered);
  if (isGone && !isNextDone && facts.isAlone && !facts.isShared) {
    found.push('exit 0 for a token that is gone');
  }
  const held = machine.holders(delivered.secret, [end]);
  const isNext = facts.isShared || !facts.isAlone;
  return [
    ...found,
    ...(isNext ? [] : kinds.filter((kind) => !held.includes(kind)).map((kind) => `${kind} has no token`)),
  ];
}

/** None before the proof, none of others. */
function judgeDeletion(
  { token, proven }: Deletion,
  { deletions, tokens }: Service,
  machines: readonly Machine[],
  where: Where,
  { isProvenOtherwise, isShared }: { readonly isProvenOtherwise: boolean; readonly isShared: boolean },
): readonly string[] {
  if (token.maker === 'others') return [`it deleted ${token.id}, which others made`];
  const isKnown = machines.some(
    (machine) =>
      machine.holders(token.secret, where.ended).length > 0 ||
      machine.recoveries().some(({ secret }) => secret === token.secret),
  );
  // No one ever had the secret of a token whose answer never came.
  if (token.maker !== 'before' && !isKnown) return [];
  const isHeldAnywhere = (each: Token): boolean => machines.some((machine) => isHeld(each, machine, where));
  const isFollowed = tokens.some(
    (next, index) =>
      next !== token &&
      next.maker.startsWith('run-') &&
      (proven.includes(next.secret) || isProvenOtherwise) &&
      // One that was replaced since is followed itself, and in places of both machines the other may have put its own.
      (isShared ||
        deletions.some((later) => later.token === next) ||
        // Its successor may have left it for a while.
        tokens.slice(index).some((each) => each.maker.startsWith('run-') && isHeldAnywhere(each))),
  );
  return isFollowed ? [] : [`it deleted ${token.id} before a new one was known to work`];
}

/** Whatever was killed: a token that works is where it was, in every place, or kept. */
export function findLoss(service: Service, machines: readonly Machine[], where: Where): string | undefined {
  const usable = service.tokens
    .filter((token) => token.maker !== 'others' && (service.alive().includes(token) || service.hasEnded(token)))
    .some((token) => token.maker === 'before' || machines.some((machine) => isHeld(token, machine, where)));
  return usable ? undefined : 'no token that works is in every place, or kept';
}

/** The token that asks for the next run: as a person finds it, where it always was or where a run has put it. */
export function findAsker(service: Service, machines: readonly Machine[], where: Where): Token | undefined {
  const usable = service.alive().filter(({ maker }) => maker !== 'others');
  return (
    usable.find(({ maker }) => maker === 'before') ??
    usable.find((token) => machines.some((machine) => isHeld(token, machine, where)))
  );
}

/** Of a run that deleted the token that asked. `after`: of the same command with that token, where it was run. */
export function judgeSelf({ end, name }: RunFacts, asker: Token, service: Service, before: number): readonly string[] {
  const isGone = service.deletions.slice(before).some(({ run, token }) => run === name && token === asker);
  const isSaid = end.code === null || /must take its token from \S/.test(end.stderr);
  return !isGone || isSaid ? [] : [`it deleted the token that asked, and says no place of the next: ${end.stderr}`];
}

/** What is said to someone who still asks with a token that is gone. */
export function judgeGone({ end }: RunFacts): readonly string[] {
  const isSaid = end.code === 4 && /The new one was delivered to \S/.test(end.stderr);
  return isSaid ? [] : [`exit ${end.code}, and it does not say where the new token is: ${end.stderr}`];
}

/** After the run without faults: what is left beside the delivered token is named. */
export function judgeLeftOvers({ end, made, machine }: RunFacts, service: Service, isKept: boolean): readonly string[] {
  const said = `${end.stdout}${end.stderr}`;
  const last = machine.journal()?.last?.id;
  const left = service
    .alive()
    .filter(({ id, maker }) => maker !== 'others' && id !== last && !made.some((each) => each.id === id));
  const names = left.filter(({ id }) => !said.includes(id)).map(({ id }) => `${id} is left, and not named`);
  return isKept ? names : [...names, ...left.filter(({ id }) => said.includes(id)).map(({ id }) => `${id} is left`)];
}
