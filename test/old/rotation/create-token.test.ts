import { describe, expect, test } from 'vitest';
import { ConnectionError, OrgctlError } from '../../../src/old/errors.ts';
import { createToken } from '../../../src/old/rotation/create-token.ts';
import type { CurrentToken } from '../../../src/old/rotation/current-token.ts';
import type { CreateAnswer, TokenService } from '../../../src/old/rotation/types.ts';

const SETTLE = 20_000;
const EXPIRES = '2027-01-01T00:00:00Z';
const REASON = new OrgctlError('unavailable', 'the connection broke off');
const REFUSED = new OrgctlError('forbidden', 'the service said no');
const MADE: CreateAnswer = { kind: 'created', secret: 'the-secret', facts: { id: 'at-new' } };
const UNCLEAR: CreateAnswer = { kind: 'unclear', reason: REASON };
const UNKNOWN: CurrentToken = { kind: 'unknown' };
const ABSENT: CurrentToken = { kind: 'absent' };
const found = (id: string, createdBy?: string): CurrentToken => ({
  kind: 'found',
  facts: { id, ...(createdBy === undefined ? {} : { createdBy }) },
});

const OURS = found('at-ours', 'user-us');
const THEIRS = found('at-theirs', 'user-other');

/** `answers` to the requests, in order, and `looks` at the token after an unclear one; what throws is an error. */
async function mint(given: {
  readonly before: CurrentToken;
  readonly answers: readonly (CreateAnswer | Error)[];
  readonly looks?: readonly (CurrentToken | Error)[];
  readonly ours?: readonly string[];
  readonly settle?: number;
}) {
  const answers = [...given.answers];
  const looks = [...(given.looks ?? [])];
  const events: string[] = [];
  const next = <Kind>(queue: (Kind | Error)[], what: string): Kind => {
    const one = queue.shift();
    if (one === undefined) throw new Error(`no ${what} was expected`);
    if (one instanceof Error) throw one;
    return one;
  };
  const token: Pick<TokenService, 'create' | 'read' | 'findOurIds'> = {
    async create(expiredAt) {
      events.push(`create ${expiredAt}`);
      return next(answers, 'request');
    },
    async read() {
      events.push('look');
      return next(looks, 'look');
    },
    findOurIds: async () => given.ours ?? [],
  };
  const outcome = await createToken(
    EXPIRES,
    given.before,
    { organization: 'acme', noun: 'audit trail token', settle: given.settle ?? SETTLE },
    {
      token: token as TokenService,
      now: () => 0,
      async sleep(milliseconds) {
        events.push(`sleep ${milliseconds}`);
      },
      note: (text) => events.push(text),
    },
    {
      async onPost(posts) {
        events.push(`post ${posts}`);
      },
      async onUnclear() {
        events.push('unclear');
      },
    },
  ).catch((error: unknown) => error);
  expect([answers.length, looks.length]).toEqual([0, 0]);
  return { outcome, events };
}

const ONE_LOOK_EACH = [
  'post 1',
  `create ${EXPIRES}`,
  'unclear',
  'No clear answer. Checking in 20 s whether the token was replaced.',
  'sleep 20000',
  'look',
  'sleep 1000',
  'look',
];

test('one request, noted before it leaves, creates the token', async () => {
  expect(await mint({ before: found('at-old'), answers: [MADE] })).toEqual({
    outcome: { token: MADE, posts: 1 },
    events: ['post 1', `create ${EXPIRES}`],
  });
});

test('a clear refusal is what is thrown, and nothing is looked for', async () => {
  expect(await mint({ before: found('at-old'), answers: [REFUSED] })).toEqual({
    outcome: REFUSED,
    events: ['post 1', `create ${EXPIRES}`],
  });
});

describe('after no clear answer a second request is sent', () => {
  const AGAIN = 'The token was not replaced. Sending the request again.';
  const LOST = 'The token was replaced, but the secret never arrived. Creating another.';

  test.each<[string, CurrentToken, readonly [CurrentToken, CurrentToken], readonly string[], string]>([
    ['where the token is the one before', found('at-old'), [found('at-old'), found('at-old')], [], AGAIN],
    ['where there still is none', ABSENT, [ABSENT, ABSENT], [], AGAIN],
    ['where it was replaced by us', found('at-old'), [OURS, OURS], ['user-other', 'user-us'], LOST],
    ['where there was none, and now is one of ours', ABSENT, [OURS, OURS], ['user-us'], LOST],
    ['where none was shown before, and now is one of ours', UNKNOWN, [OURS, OURS], ['user-us'], LOST],
  ])('%s', async (_name, before, looks, ours, note) => {
    expect(await mint({ before, answers: [UNCLEAR, MADE], looks, ours })).toEqual({
      outcome: { token: MADE, posts: 2 },
      events: [...ONE_LOOK_EACH, note, 'post 2', `create ${EXPIRES}`],
    });
  });

  test('after a pause of no more than what was asked for', async () => {
    const looks = [found('at-old'), found('at-old')];
    const { events } = await mint({ before: found('at-old'), answers: [UNCLEAR, MADE], looks, settle: 300 });
    expect(events.filter((event) => event.startsWith('sleep'))).toEqual(['sleep 300', 'sleep 300']);
    expect(events).toContain('No clear answer. Checking in 0.3 s whether the token was replaced.');
  });
});

describe('after no clear answer nothing more is sent', () => {
  test('where the answer breaks HTTP: what answers would break the next one too', async () => {
    const request = { method: 'POST', path: '/' };
    const broken = new ConnectionError('breaks-http', 'maybe', request, 'it sent "100 Continue"', { hint: 'Fix it.' });
    const reason = new OrgctlError('outcome-unknown', 'cannot tell', { reasons: [broken.message], cause: broken });
    const { outcome, events } = await mint({ before: found('at-old'), answers: [{ kind: 'unclear', reason }] });
    expect(outcome).toMatchObject({
      exit: 'outcome-unknown',
      reasons: [
        'The request was sent, and no clear answer came: it sent "100 Continue".',
        'No second request was sent: its answer would be lost in the same way.',
      ],
      hint: 'Fix it.',
    });
    expect(events).toEqual(['post 1', `create ${EXPIRES}`, 'unclear']);
  });

  const HIDDEN = "The service doesn't show which token is current.";
  const CHANGED = 'The token changed again while it was being checked.';
  const DOUBT = 'The current token is now at-theirs. Unknown: whether this command created it.';

  test.each<[string, CurrentToken, readonly (CurrentToken | Error)[], readonly string[], string]>([
    ['where the service does not show its token', UNKNOWN, [UNKNOWN, UNKNOWN], [], HIDDEN],
    ['where it shows only now that another has one', UNKNOWN, [THEIRS, THEIRS], ['user-us'], DOUBT],
    ['where it shows one of ours once, and then nothing', UNKNOWN, [OURS, UNKNOWN], ['user-us'], HIDDEN],
    ['where it shows it no longer', found('at-old'), [UNKNOWN, found('at-old')], [], HIDDEN],
    ['where it shows it only once', found('at-old'), [found('at-old'), UNKNOWN], [], HIDDEN],
    ['where it cannot be reached', found('at-old'), [REASON, REASON], [], HIDDEN],
    ['where it changed between two looks', found('at-old'), [found('at-old'), OURS], ['user-us'], CHANGED],
    ['where somebody else replaced it', found('at-old'), [THEIRS, THEIRS], ['user-us'], DOUBT],
    [
      'where nobody says who replaced it',
      found('at-old'),
      [found('at-theirs'), found('at-theirs')],
      ['user-us'],
      DOUBT,
    ],
    ['where it is gone', found('at-old'), [ABSENT, ABSENT], ['user-us'], 'No token exists now.'],
  ])('%s', async (_name, before, looks, ours, why) => {
    const { outcome, events } = await mint({ before, answers: [UNCLEAR], looks, ours });
    expect(events).toEqual(ONE_LOOK_EACH);
    expect(outcome).toMatchObject({
      exit: 'outcome-unknown',
      message: "unknown whether acme's audit trail token was replaced",
      reasons: [expect.stringContaining('the connection broke off'), why],
      hint: 'Run the same command again: it finds out, and delivers a token.',
      cause: REASON,
    });
  });
});

describe('the second request is the last', () => {
  const looks = [found('at-old'), found('at-old')];

  test.each<[string, CreateAnswer | Error, unknown, string]>([
    ['without a clear answer', UNCLEAR, REASON, 'This was the second request, and the last of this run.'],
    ['also where it is refused', REFUSED, REFUSED, 'The request before it had no clear answer either.'],
  ])('%s', async (_name, answer, cause, why) => {
    const { outcome, events } = await mint({ before: found('at-old'), answers: [UNCLEAR, answer], looks });
    expect(events.at(-1)).toBe(`create ${EXPIRES}`);
    expect(outcome).toMatchObject({ exit: 'outcome-unknown', reasons: [expect.any(String), why], cause });
  });
});
