import type { Caller } from '../api/account.ts';
import { findStateFolder } from '../config/folders.ts';
import { PLACES } from '../config/parsers.ts';
import { UsageError } from '../lib/errors.ts';
import { hasCommand, parseCommand, runCommand } from '../lib/exec.ts';
import { addDuration, parseTimeout } from '../lib/time.ts';
import type { OrgFailure } from '../organizations.ts';
import { formatOrg } from '../output/columns.ts';
import { createWriter } from '../output/writer.ts';
import { findCaller } from '../tokens/caller.ts';
import { ROTATION_COLUMNS } from '../tokens/columns.ts';
import { parseExpires } from '../tokens/expiry.ts';
import { assertDistinct, openPlaces, type PlaceContext } from '../tokens/places/index.ts';
import { type RotationResult, rotate } from '../tokens/rotate.ts';
import type { VerifyCommand } from '../tokens/rotation.ts';
import { withRotationStore } from '../tokens/rotation-state.ts';
import { describeToken, isDescribed, type NamedToken, nameToken } from '../tokens/token.ts';
import { runBatch } from './batch.ts';
import type { VerbOptions } from './command.ts';
import { completePlaces } from './completers.ts';
import { readEachOrg } from './each-org.ts';
import { collect, option } from './options.ts';
import { createDeletionQuestion, createQuestion, createSentence, type RotatedToken } from './rotation-texts.ts';
import type { Session } from './session.ts';
import { findStateLocation } from './tokens.ts';

export const ROTATE_OPTIONS = [
  option('--to <place>', `where the secret goes: ${PLACES}; repeatable`, { parse: collect, complete: completePlaces }),
  option('--expires <when>', 'when the new token expires: an instant, a date, a duration such as 90d, or never'),
  option('--if-expires-within <duration>', 'only if the token expires within this time, or a place has no valid one'),
  option('--if-older-than <duration>', 'only if the token is older than this, or a place has no valid one'),
  option('--verify-command <command>', 'a command that gets the secret on stdin and exits with 0 if it works'),
  option('--create-missing', 'create a token where there is none'),
  option('--lock-wait <duration>', 'how long to wait for another command that changes the token', {
    parse: parseTimeout,
  }),
] as const;

export type RotateOptions = VerbOptions<typeof ROTATE_OPTIONS> & { keepOld?: string; allowSelf?: boolean };

interface Item extends RotatedToken {
  org: string;
}

/** Rotates a token of each organization. `findToken` throws UsageError for a token that must not be rotated. */
export async function rotateTokens(
  session: Session,
  options: RotateOptions,
  findToken: (org: string) => Promise<NamedToken>,
): Promise<void> {
  const { settings, prompts, hasSeveralOrgs } = session;
  const plan = parsePlan(session, options);
  const createContext = createPlaceContexts(session);
  const { values: items, failures } = await readEachOrg(session, async (org): Promise<Item> => {
    const token = await findToken(org);
    return { org, token, places: openPlaces(settings.to.value, createContext(org)) };
  });
  assertDistinct(items.flatMap(({ places }) => places));
  if (hasSeveralOrgs) for (const { places } of items) for (const place of places) await place.check();
  const tokens = items.map(({ token }) => token);
  // At a terminal a single token is read before the question.
  const asksLater = prompts.canAsk && items.length === 1;
  if (!asksLater) {
    await session.confirm(createQuestion(tokens), tokens.length > 1 ? tokens.map(nameWithOrg) : []);
  }
  // The audit trail token reads nothing but the trail, so it is never the caller.
  const mayBeCaller = tokens.some((token) => isDescribed(token) || token.kind !== 'audit-trail');
  const caller = mayBeCaller ? await findCaller(session.client) : {};
  const rotateOne = createRotator(session, options, plan, caller, asksLater);
  if (settings.to.value.includes('stdout')) for (const item of items) await rotateToStdout(session, item, rotateOne);
  else await runRotations(session, items, failures, rotateOne);
}

/** A description alone names no organization. */
function nameWithOrg(token: NamedToken): string {
  return `${describeToken(token)}${isDescribed(token) ? ` in ${token.org}` : ''}`;
}

type RotateOne = (item: Item) => Promise<RotationResult>;

async function rotateToStdout(
  { messages, runtime, signals, output }: Session,
  item: Item,
  rotateOne: RotateOne,
): Promise<void> {
  const { failure, ...result } = await rotateOne(item);
  const said = output.isForPeople ? ['rotated', 'failed', 'delivered'] : ['rotated', 'failed'];
  if (!said.includes(result.result)) {
    messages.sentence(createSentence(item, { ...result, 'expired-at': result.expiredAt }, runtime.now()));
  }
  if (failure) throw failure;
  signals.signal.throwIfAborted();
}

async function runRotations(session: Session, items: Item[], failures: OrgFailure[], rotateOne: RotateOne) {
  const { runtime, hasSeveralOrgs } = session;
  await runBatch<Item>(session, items, {
    label: 'Rotating',
    columns: ROTATION_COLUMNS,
    things: ['token', 'tokens'],
    concurrency: 1,
    isOne: !hasSeveralOrgs,
    failures,
    name: ({ org, token }) => describeToken(token).replace(`${org}'s `, ''),
    row: ({ org, token, places }) => ({
      id: null,
      type: 'authentication-tokens',
      token: nameToken(token),
      organization: formatOrg(org),
      places: places.map(({ name }) => name),
    }),
    async act(item) {
      const { createdAt, expiredAt, isFirst, ...result } = await rotateOne(item);
      item.isFirst = isFirst;
      return { ...result, 'created-at': createdAt, 'expired-at': expiredAt };
    },
    // A single rotation has printed its steps.
    sentence: (item, row) =>
      ['rotated', 'delivered'].includes(row.result) && !hasSeveralOrgs
        ? undefined
        : createSentence(item, row, runtime.now()),
  });
}

/** Throws UsageError. */
function parsePlan(session: Session, { lockWait, output, query, fields, ...options }: RotateOptions) {
  const { settings, runtime, hasSeveralOrgs } = session;
  const { to, expires } = settings;
  if (to.value.length === 0) throw new UsageError('missing --to', { hint: 'For example: --to file:./audit-token' });
  if (expires.value === undefined) throw new UsageError('missing --expires', { hint: 'For example: --expires 90d' });
  if (to.value.includes('stdout') && (output ?? query ?? fields) !== undefined) {
    throw new UsageError('--to stdout prints only the secret, in no format');
  }
  const shared = hasSeveralOrgs ? to.value.find((place) => !place.includes('{org}')) : undefined;
  if (shared !== undefined) {
    throw new UsageError(`${shared} would get the tokens of several organizations`, { hint: 'Put {org} into it.' });
  }
  const now = runtime.now();
  const parseInstant = (text: string | undefined, direction: 1 | -1, name: string): number | undefined =>
    text === undefined ? undefined : addDuration(now, text, direction, name);
  return {
    wait: lockWait ?? 0,
    expiredAt: parseExpires(expires.value, now),
    expiresBefore: parseInstant(options.ifExpiresWithin, 1, '--if-expires-within'),
    createdBefore: parseInstant(options.ifOlderThan, -1, '--if-older-than'),
    keepOldUntil: parseInstant(options.keepOld, 1, '--keep-old'),
    verifyCommand: parseVerifyCommand(session, options.verifyCommand),
  };
}

function parseVerifyCommand(
  { runtime, settings, signals, messages }: Session,
  text: string | undefined,
): VerifyCommand | undefined {
  if (text === undefined) return undefined;
  const words = parseCommand(text, '--verify-command', runtime.platform);
  const lines = { onLine: messages.debug, isVerbose: settings.debug.value };
  return {
    async check() {
      if (await hasCommand(words[0] ?? '', runtime)) return;
      throw new UsageError(`--verify-command: ${words[0]}: command not found`);
    },
    run: (secret) => runCommand(words, { input: secret, runtime, signal: signals.signal, ...lines }),
  };
}

function createPlaceContexts(session: Session): (org: string) => PlaceContext {
  const { runtime, settings, signals, redactor, messages, output } = session;
  const context = {
    stateFolder: findStateFolder(runtime),
    runtime,
    redactor,
    signal: signals.signal,
    onLine: messages.debug,
    isVerbose: settings.debug.value,
    print: (text: string) => output.secret(text),
    writeRaw: createWriter(runtime.stderr).write,
  };
  return (org) => ({ ...context, org });
}

function createRotator(
  session: Session,
  { createMissing, allowSelf = false }: RotateOptions,
  { wait, ...plan }: ReturnType<typeof parsePlan>,
  caller: Caller,
  asksLater: boolean,
): RotateOne {
  const { client, runtime, signals, messages, output, hasSeveralOrgs, isDryRun, progress } = session;
  const location = findStateLocation(session);
  const storeOptions = { wait, runtime, signal: signals.signal, isDryRun };
  return ({ token, places }) =>
    withRotationStore(location, token, storeOptions, (store) =>
      rotate({
        ...plan,
        token,
        client,
        store,
        places,
        caller,
        runtime,
        signals,
        isDryRun,
        allowSelf,
        progress,
        // The description of a token that doesn't exist may be misspelled.
        createMissing: createMissing ?? !(hasSeveralOrgs || isDescribed(token)),
        openClient: async (secret) => session.openClient({ baseUrl: (await client.connect()).baseUrl, token: secret }),
        confirm: async (current) => (asksLater ? session.confirm(createQuestion([token], current)) : undefined),
        confirmDeletion: async (ids) => (asksLater ? session.confirm(createDeletionQuestion(token, ids)) : undefined),
        // Each of several tokens has a sentence at the end.
        done: (text) => (output.isForPeople && !hasSeveralOrgs ? messages.done(text) : undefined),
        warn: messages.warn,
      }),
    );
}
