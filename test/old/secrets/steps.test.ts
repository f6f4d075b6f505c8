import { expect, test } from 'vitest';
import { createForms } from '../../../src/old/secrets/forms.ts';

/** A search takes so many steps for each character at most, however long the text is: counted, not timed. */

const TOKEN = 'Abc9defGhiJklm.atlasv1.zq0123456789GHIJKLMNOPQRSTUVWXYZabcdefghijKLmnOPqrST';
/** What a service could call a secret, so that it would be looked for. */
const SECRETS = [TOKEN, '\\'.repeat(400), '\\"'.repeat(200)];

/** What reads as a blank, a backslash, or the beginning of a secret, in whatever way it is written, and runs of it. */
const UNITS = [
  ...['\\n', '\\\\n', '\\t', 't\\t', '\n', 'a ', '\t\\t', '\\u000a', '\\\\u000a', '%0a', '%250a', '&#10;', '&nbsp;'],
  ...['\\', '\\/', '\\"', '%5c', '%255c', '\\u005c', '&#x5c;', '%25', '%41', '\\x41', '&amp;', 'a\\\\\\\\'],
  ...[TOKEN.slice(0, 11), `${TOKEN.slice(0, 11)}\\n`, 'A\\n\\n', 'QWJj', 'ab', 'a%\\'],
];

const LENGTH = 1_000;

function countSteps(secret: string, unit: string, length: number): number {
  const search = createForms([secret]).search(unit.repeat(Math.ceil(length / unit.length)));
  const steps = search.advance(Number.POSITIVE_INFINITY);
  expect(search.isDone).toBe(true);
  return steps;
}

test.each(UNITS)('a run of %j takes steps that grow with its length alone', (unit) => {
  for (const secret of SECRETS) {
    const [short, long] = [countSteps(secret, unit, LENGTH), countSteps(secret, unit, 8 * LENGTH)];
    expect(long, JSON.stringify(secret.slice(0, 20))).toBeLessThan(10 * short + 1_000);
    expect(long).toBeLessThan(60 * 8 * LENGTH);
  }
});

const MANY = 100_000;

test('so does a long run', () => {
  expect(countSteps(TOKEN, '\\t', MANY)).toBeLessThan(15 * MANY);
});

test('a search goes on where it was left, and finds the same', () => {
  const text = `${'\\n t'.repeat(300)}${TOKEN}\n${TOKEN.slice(0, 20)} ${[...TOKEN].join('\\n')} ${TOKEN.slice(0, 30)}`;
  const whole = createForms([TOKEN]).search(text);
  whole.advance(Number.POSITIVE_INFINITY);
  const search = createForms([TOKEN]).search(text);
  let reached = 0;
  for (; !search.isDone; reached = search.reached) {
    search.advance(7);
    expect(search.reached).toBeGreaterThanOrEqual(reached);
    // What was shown up to here would be shown at the end.
    expect(search.found).toEqual(whole.found.filter(({ start }) => start < search.reached));
  }
  expect(search).toMatchObject({ found: whole.found, open: whole.open });
});
