import { findCaller } from '../../../api/account.ts';
import type { Token } from '../../../api/tokens.ts';
import { ask, runBatch, tell } from '../../../cli/batch.ts';
import type { VerbOptions } from '../../../cli/command.ts';
import { readEachOrg } from '../../../cli/each-org.ts';
import { collect, option } from '../../../cli/options.ts';
import type { Session } from '../../../cli/session.ts';
import { findStateFolder } from '../../../config/folders.ts';
import { type FailedItem, UsageError } from '../../../lib/errors.ts';
import { openCommand } from '../../../lib/exec.ts';
import { createOrgRecord } from '../../../lib/json.ts';
import { joinNames } from '../../../lib/text.ts';
import { addDuration, formatTime, parseTimeout } from '../../../lib/time.ts';
import type { Sentence } from '../../../output/messages.ts';
import { createWriter } from '../../../output/writer.ts';
import { assertDistinct, openPlace, PLACE_FORMS, PLACES } from '../../../places/index.ts';
import type { Place } from '../../../places/place.ts';
import { ROTATION_COLUMNS } from '../../../tokens/columns.ts';
import { parseExpires } from '../../../tokens/expiry.ts';
import { rotate } from '../../../tokens/rotate.ts';
import type { Rotation } from '../../../tokens/rotation.ts';
import { findStatesFolder, withRotationStore } from '../../../tokens/rotation-state.ts';
import { createQuestion, describeInOrg, describeToken, nameColumns, nameParts } from '../../../tokens/token.ts';

export const ROTATE_OPTIONS = [
  option('--to <place>', `where the secret goes: ${PLACE_FORMS}; repeatable`, {
    parse: collect,
    complete: () => PLACES.map(({ kind, form }) => (form === kind ? kind : `${kind}:`)),
  }),
  option('--expires <when>', 'when the new token expires: an instant, a date, a duration such as 90d, or never'),
  option('--if-expires-within <duration>', 'only if the token expires within this time, or a place has no valid one'),
  option('--if-older-than <duration>', 'only if the token is older than this, or a place has no valid one'),
  option('--verify-command <command>', 'a command that gets the secret on stdin and exits with 0 if it works'),
  option('--create-missing', 'create a token where there is none; needed with a description or several organizations'),
  option('--lock-wait <duration>', 'how long to wait for another command that changes the token', {
    parse: parseTimeout,
  }),
] as const;

export type RotateOptions = VerbOptions<typeof ROTATE_OPTIONS> & { keepOld?: string; allowSelf?: boolean };

interface Item {
  org: string;
  token: Token;
  places: Place[];
  /** There was no token before. */
  isFirst?: boolean;
}

type Common = ReturnType<typeof parseConditions> & Pick<Rotation, 'verifyCommand' | 'caller'> & { asksLater: boolean };

/** Rotates a token of each organization. `findToken` throws UsageError for a token that must not be rotated. */
export async function rotateTokens(
  session: Session,
  options: RotateOptions,
  findToken: (org: string) => Promise<Token>,
): Promise<void> {
  const { runtime, settings, signals, messages, redactor, output, prompts, hasSeveralOrgs } = session;
  const plan = parseConditions(session, options);
  assertPlaces(session, options);
  const commands = {
    runtime,
    signal: signals.signal,
    onLine: messages.debug,
    redact: redactor.text,
    isVerbose: settings.debug.value,
  };
  const { verifyCommand: text } = options;
  const verifyCommand = text === undefined ? undefined : openCommand(text, '--verify-command', commands);
  const writeRaw = createWriter(runtime.stderr).write;
  const context = { ...commands, stateFolder: findStateFolder(runtime), redactor, output, writeRaw };
  const { values: items, failures } = await readEachOrg(session, async (org): Promise<Item> => {
    const token = await findToken(org);
    const places = await Promise.all(settings.to.value.map((place) => openPlace(place, { ...context, org })));
    return { org, token, places };
  });
  assertDistinct(items.flatMap(({ places }) => places));
  if (hasSeveralOrgs) for (const { places } of items) for (const place of places) await place.check();
  // At a terminal a single token is read before the question.
  const asksLater = prompts.canAsk() && items.length === 1;
  if (!asksLater) {
    const line = ({ token }: Item): string => describeInOrg(token);
    const [first, second] = items;
    if (first && !second) await session.confirm(createQuestion(first.token));
    else await ask(session, items, line, (what) => `Replace ${what}?`, 'tokens');
  }
  // The audit trail token reads nothing but the trail, so it is never the caller.
  const caller = items.some(({ token }) => token.kind !== 'audit-trail') ? await findCaller(session.client) : {};
  await runRotations(session, items, failures, { ...plan, verifyCommand, caller, asksLater });
}

async function runRotations(session: Session, items: Item[], failures: FailedItem[], common: Common) {
  const { runtime, settings, hasSeveralOrgs } = session;
  await runBatch<Item>(session, items, {
    label: 'Rotating',
    columns: ROTATION_COLUMNS,
    things: ['token', 'tokens'],
    concurrency: 1,
    isOne: !hasSeveralOrgs,
    hasNoRows: settings.to.value.includes('stdout'),
    failures,
    name: ({ token }) => nameParts(token).noun,
    row: ({ org, token, places }) => ({
      id: null,
      type: 'authentication-tokens',
      token: nameColumns(token).token,
      organization: createOrgRecord(org),
      places: places.map(({ name }) => name),
    }),
    async act(item) {
      const { createdAt, expiredAt, isFirst, ...row } = await rotateOne(session, item, common);
      item.isFirst = isFirst;
      return { ...row, 'created-at': createdAt, 'expired-at': expiredAt };
    },
    // A single rotation has printed its steps.
    sentence: (item, row) =>
      ['rotated', 'delivered'].includes(row.result) && !hasSeveralOrgs
        ? undefined
        : createSentence(item, row.result, row['expired-at'], runtime.now()),
  });
}

function assertPlaces({ settings, hasSeveralOrgs }: Session, { output, query, fields }: RotateOptions): void {
  const to = settings.to.value;
  if (to.includes('stdout') && (output ?? query ?? fields) !== undefined) {
    throw new UsageError('--to stdout prints only the secret, in no format');
  }
  const shared = hasSeveralOrgs ? to.find((place) => !place.includes('{org}')) : undefined;
  if (shared === undefined) return;
  throw new UsageError(`${shared} would get the tokens of several organizations`, { hint: 'Put {org} into it.' });
}

function parseConditions(session: Session, options: RotateOptions) {
  const { settings, runtime, isDryRun } = session;
  const { value: expires } = settings.expires;
  const missing = expires === undefined ? ['--expires 90d'] : [];
  if (settings.to.value.length === 0) missing.push('--to file:./new-token');
  if (expires === undefined || missing.length > 0) {
    const names = missing.map((example) => example.replace(/ .*/, ''));
    throw new UsageError(`missing ${joinNames(names)}`, { hint: `For example: ${missing.join(' ')}` });
  }
  const now = runtime.now();
  const parseInstant = (text: string | undefined, direction: 1 | -1, name: string): number | undefined =>
    text === undefined ? undefined : addDuration(now, text, direction, name);
  return {
    expiredAt: parseExpires(expires, now),
    expiresBefore: parseInstant(options.ifExpiresWithin, 1, '--if-expires-within'),
    createdBefore: parseInstant(options.ifOlderThan, -1, '--if-older-than'),
    keepOldUntil: parseInstant(options.keepOld, 1, '--keep-old'),
    allowSelf: options.allowSelf ?? false,
    isDryRun,
    wait: options.lockWait ?? 0,
    createMissing: options.createMissing,
  };
}

function rotateOne(session: Session, { token, places }: Item, { wait, createMissing, asksLater, ...common }: Common) {
  const { client, runtime, settings, signals, messages, output, hasSeveralOrgs, isDryRun, isSandbox } = session;
  const storeOptions = { wait, runtime, signal: signals.signal, isDryRun };
  return withRotationStore(findStatesFolder(runtime, settings, isSandbox), token, storeOptions, (store) =>
    rotate({
      ...common,
      token,
      // The description of a token that doesn't exist may be misspelled.
      createMissing: createMissing ?? !(hasSeveralOrgs || token.kind === 'described'),
      places,
      store,
      client,
      openClient: async (secret) => session.openClient({ baseUrl: (await client.connect()).baseUrl, token: secret }),
      runtime,
      signals,
      confirm: async (question) => (asksLater ? session.confirm(question) : undefined),
      // Each of several tokens has a sentence at the end.
      done: (text) => (output.isForPeople && !hasSeveralOrgs ? messages.done(text) : undefined),
      warn: messages.warn,
      progress: session.progress,
    }),
  );
}

function createSentence({ token, places, isFirst }: Item, result: string, end: unknown, now: number): Sentence {
  const name = describeToken(token);
  const to = places.map((place) => place.name).join(', ');
  const rotated = `${isFirst ? 'Created' : 'Rotated'} ${name}, and delivered it to ${to}`;
  return tell(result, {
    same: `${name} is not due${typeof end === 'string' ? `: it expires ${formatTime(end, now)}` : ''}`,
    would: `${isFirst ? 'create' : 'replace'} ${name}, and deliver the new one to ${to}`,
    done: result === 'delivered' ? `Delivered ${name}, which an earlier run created, to ${to}` : rotated,
  });
}
