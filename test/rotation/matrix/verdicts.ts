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
  /** The current token before it. */
  readonly present: Token | undefined;
  /** Whether no other run used its machine meanwhile. */
  readonly isAlone: boolean;
  /** Whether a run of another machine used its places meanwhile. */
  readonly isShared: boolean;
  /** Whether it was shown another token when it looked for the first time after its 201. */
  readonly isWarned: boolean;
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
  const found = [...judgePosts(facts.posts), ...judgeWarned(facts)];
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
      const isClaimed = !facts.isLenient || /The new token is (?:the current one, and )?kept in/.test(end.stderr);
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

export function judgePosts(posts: readonly SeenPost[]): readonly string[] {
  const sent = posts.filter(({ answer }) => answer !== 'limited');
  if (sent.length > 2) return [`${sent.length} POSTs`];
  if (sent[0]?.answer === 'broken' && sent.length > 1) return ['a second POST after an answer that breaks HTTP'];
  return sent[0]?.answer === 'clear' && sent.length > 1 ? ['a second POST after a clear answer'] : [];
}

/** A token that is known to have been replaced has no business in any place. */
function judgeWarned({ isWarned, made, machine, end }: RunFacts): readonly string[] {
  if (!isWarned) return [];
  const held = machine.holders(made.at(-1)?.secret ?? '', [end]);
  return held.map((kind) => `it was shown another token, and delivered its own to ${kind}`);
}

/** What is promised of places that two machines share: the token in them is the current one, or an end says that it may not be. */
export function judgeShared(all: readonly RunFacts[], service: Service): readonly string[] {
  const [one] = all;
  const current = service.current();
  const isOurs = all.some(({ name }) => name === current?.maker);
  if (one === undefined || current === undefined || !isOurs || !all.every(({ isShared }) => isShared)) return [];
  if (!all.every(({ end }) => end.code === 0 || end.code === 14)) return [];
  return one.machine
    .strangers(current.secret)
    .map((kind) => `every run ended well, and ${kind} has not the current token`);
}

function judgeSuccess(
  { name, end, machine, kinds, made, isAlone, isShared }: RunFacts,
  { current, tokens }: Service,
): readonly string[] {
  const delivered = findDelivered(end, tokens);
  if (delivered === undefined) {
    return made.length === 0 ? [] : [`it says that nothing changed, and made ${made.length} tokens`];
  }
  const held = machine.holders(delivered.secret, [end]);
  // Another run on its machine may have delivered the next one since.
  const isNext = isShared || (!isAlone && current() !== delivered);
  const missing = isNext ? [] : kinds.filter((kind) => !held.includes(kind));
  return [
    ...missing.map((kind) => `exit 0, and the secret is not in ${kind}`),
    ...(current()?.maker === name && current() !== delivered
      ? ['exit 0 for a token that its own request replaced']
      : []),
  ];
}

/** The token that a run says it delivered. */
export function findDelivered({ stdout }: Ended, tokens: readonly Token[]): Token | undefined {
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
function judgeTidiness({
  end,
  machine,
  run,
  isAlone,
  isShared,
  wasOpen,
  hasKilled,
  isLenient,
}: RunFacts): readonly string[] {
  if (!isAlone || isShared || hasKilled || isLenient || wasOpen || run.local?.kind === 'immutable') return [];
  const found = machine.temporaries().map((path) => `exit ${end.code}, and ${path} is left`);
  return machine.journal()?.open === undefined ? found : [...found, `exit ${end.code}, and the journal is open`];
}

/** For the run after all faults. `isDeliverable`: the current token was kept, and the service shows that it is current. */
export function requireHolding(
  facts: RunFacts,
  service: Service,
  isDeliverable: boolean,
  /** What another machine left in the places is for that one to remove. */
  hasSharers: boolean,
): readonly string[] {
  const { end, machine, kinds, posts, present, hasKilled, isLenient } = facts;
  if (end.code !== 0) return [`exit ${end.code}: ${end.stderr}`];
  const current = service.current();
  const held = current === undefined ? [] : machine.holders(current.secret, [end]);
  const left = machine.recoveries().filter(({ isWhole }) => isWhole || !(hasKilled || isLenient));
  return [
    ...kinds.filter((kind) => !held.includes(kind)).map((kind) => `the token in force is not in ${kind}`),
    ...machine
      .temporaries()
      .filter((path) => !hasSharers || path.startsWith(machine.state))
      .map((path) => `${path} is left`),
    ...left.map(({ name }) => `${name} is left`),
    ...(machine.journal()?.open === undefined ? [] : ['the journal is open']),
    ...(isDeliverable && (posts.length > 0 || current !== present)
      ? ['it replaced a token that it could have delivered']
      : []),
    ...(!isDeliverable && posts.length !== 1 ? [`${posts.length} POSTs`] : []),
  ];
}
