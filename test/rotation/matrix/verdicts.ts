import { createHash } from 'node:crypto';
import { findPrinted, type Machine } from './machine.ts';
import type { RunPlan, SinkKind } from './plan.ts';
import type { Ended } from './process.ts';
import type { ModelService, SeenPost, Token } from './service.ts';

/** What is known of a run once it has ended, all of it from outside. */
export interface RunFacts {
  readonly name: string;
  readonly run: RunPlan;
  readonly end: Ended;
  readonly machine: Machine;
  readonly kinds: readonly SinkKind[];
  /** The tokens that its POSTs made. */
  readonly made: readonly Token[];
  readonly posts: readonly SeenPost[];
  /** The token in force before it. */
  readonly present: Token | undefined;
  /** Whether no other run used its machine meanwhile. */
  readonly isAlone: boolean;
  /** Whether it found an open journal. */
  readonly wasOpen: boolean;
  /** Whether any run so far was killed, and whether a disk failed so that not everything can be kept. */
  readonly hasKilled: boolean;
  readonly isLenient: boolean;
}

type Service = Pick<ModelService, 'current' | 'tokens' | 'isPending'>;

/** What a run promised and did not keep. */
export function judgeRun(facts: RunFacts, service: Service): readonly string[] {
  const { end, run } = facts;
  const found = [...judgePosts(facts.posts)];
  const mayBeKilled = run.kill !== undefined || run.file?.mode === 'kill' || run.file?.mode === 'torn';
  if (end.hung) found.push(`it never ended: ${end.stderr}`);
  if (end.code === null) return mayBeKilled ? found : [...found, 'a signal ended it that nobody sent'];
  switch (end.code) {
    case 0:
      return [...found, ...judgeSuccess(facts, service), ...judgeTidiness(facts)];
    // Another run on its machine may have closed the journal, or delivered the token, since.
    case 11: {
      const isClosed = facts.isAlone && facts.machine.journal()?.open === undefined;
      return [...found, ...(isClosed ? ['exit 11, and the journal is closed'] : [])];
    }
    case 12: {
      const isKept = !facts.isAlone || facts.machine.recoveries().some(({ isWhole }) => isWhole);
      const isClaimed = !facts.isLenient || end.stderr.includes('the secret is kept in');
      return [...found, ...(isClaimed && !isKept ? ['exit 12, and nothing is kept'] : [])];
    }
    case 129:
    case 130:
    case 143:
      return [
        ...found,
        ...(run.signal === undefined ? ['it tells of a signal that nobody sent'] : judgeTidiness(facts)),
      ];
    case 1:
      return [...found, `a fault of its own: ${end.stderr}`];
    default:
      return [...found, ...judgeRefusal(facts), ...judgeTidiness(facts)];
  }
}

function judgePosts(posts: readonly SeenPost[]): readonly string[] {
  const sent = posts.filter(({ answer }) => answer !== 'limited');
  if (sent.length > 2) return [`${sent.length} POSTs`];
  return sent[0]?.answer === 'clear' && sent.length > 1 ? ['a second POST after a clear answer'] : [];
}

function judgeSuccess(
  { name, end, machine, kinds, made, isAlone }: RunFacts,
  { current, tokens }: Service,
): readonly string[] {
  const delivered = findDelivered(end, tokens);
  if (delivered === undefined) {
    return made.length === 0 ? [] : [`it says that nothing changed, and made ${made.length} tokens`];
  }
  const held = machine.holders(delivered.secret, [end]);
  // Another run on its machine may have delivered the next one since.
  const isNext = !isAlone && current() !== delivered;
  const missing = isNext ? [] : kinds.filter((kind) => !held.includes(kind));
  return [
    ...missing.map((kind) => `exit 0, and the secret is not in ${kind}`),
    ...(current()?.maker === name && current() !== delivered
      ? ['exit 0 for a token that its own request replaced']
      : []),
  ];
}

/** The token that a run says it delivered. */
function findDelivered({ stdout }: Ended, tokens: readonly Token[]): Token | undefined {
  const printed = findPrinted(stdout);
  if (printed !== undefined) return tokens.find(({ secret }) => secret === printed);
  if (stdout === '') return undefined;
  const { changed, fingerprint } = JSON.parse(stdout) as { changed: boolean; fingerprint: string };
  return changed ? tokens.find(({ secret }) => toFingerprint(secret) === fingerprint) : undefined;
}

function toFingerprint(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`;
}

function judgeRefusal({ end, made }: RunFacts): readonly string[] {
  return made.length === 0 ? [] : [`exit ${end.code}, and it replaced the token: ${end.stderr}`];
}

/** Whoever is not killed leaves nothing behind. */
function judgeTidiness({ end, machine, run, isAlone, wasOpen, hasKilled, isLenient }: RunFacts): readonly string[] {
  if (!isAlone || hasKilled || isLenient || wasOpen || run.local?.kind === 'immutable') return [];
  const found = machine.temporaries().map((path) => `exit ${end.code}, and ${path} is left`);
  return machine.journal()?.open === undefined ? found : [...found, `exit ${end.code}, and the journal is open`];
}

/** For the run after all faults. `isDeliverable`: the token in force was kept, and the service can tell that it is in force. */
export function requireHolding(facts: RunFacts, service: Service, isDeliverable: boolean): readonly string[] {
  const { end, machine, kinds, posts, present, hasKilled, isLenient } = facts;
  if (end.code !== 0) return [`exit ${end.code}: ${end.stderr}`];
  const current = service.current();
  const held = current === undefined ? [] : machine.holders(current.secret, [end]);
  const left = machine.recoveries().filter(({ isWhole }) => isWhole || !(hasKilled || isLenient));
  return [
    ...kinds.filter((kind) => !held.includes(kind)).map((kind) => `the token in force is not in ${kind}`),
    ...machine.temporaries().map((path) => `${path} is left`),
    ...left.map(({ name }) => `${name} is left`),
    ...(machine.journal()?.open === undefined ? [] : ['the journal is open']),
    ...(isDeliverable && (posts.length > 0 || current !== present)
      ? ['it replaced a token that it could have delivered']
      : []),
    ...(!isDeliverable && posts.length !== 1 ? [`${posts.length} POSTs`] : []),
  ];
}
