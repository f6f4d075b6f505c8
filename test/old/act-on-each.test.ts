import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { actOnEach, type Outcome } from '../../src/old/act-on-each.ts';
import { OrgctlError, UsageError } from '../../src/old/errors.ts';

type Fate = 'done' | 'refused' | 'stopping' | 'interrupted-before' | 'interrupted-within' | 'unavailable';

interface Plan {
  readonly fate: Fate;
  /** Turns of the event loop until it is known. */
  readonly turns: number;
}

const SIGNAL = new OrgctlError('interrupted', 'stopped by SIGINT');
const ERRORS: Readonly<Record<Exclude<Fate, 'done'>, () => OrgctlError>> = {
  refused: () => new OrgctlError('rejected', 'refused'),
  stopping: () => new OrgctlError('rejected', 'full', { code: 'organization-limit' }),
  'interrupted-before': () => SIGNAL,
  'interrupted-within': () => new OrgctlError('interrupted', 'stopped by SIGINT', { cause: SIGNAL }),
  unavailable: () => new OrgctlError('unavailable', 'gone'),
};
const STOPS: ReadonlySet<Fate> = new Set(['stopping', 'interrupted-before', 'interrupted-within']);

async function play(plans: readonly Plan[], singly = false) {
  const begun: number[] = [];
  let [now, most] = [0, 0];
  const act = async (index: number): Promise<number> => {
    begun.push(index);
    now += 1;
    most = Math.max(most, now);
    const { fate, turns } = plans[index] ?? { fate: 'done', turns: 0 };
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    now -= 1;
    if (fate !== 'done') throw ERRORS[fate]();
    return index;
  };
  const told: { readonly item: number; readonly outcome: Outcome<number> }[] = [];
  for await (const end of actOnEach([...plans.keys()], act, { singly })) told.push(end);
  return { begun, most, told };
}

const toPlans = (length: number, toFate: (index: number) => Fate): readonly Plan[] =>
  Array.from({ length }, (_, index) => ({ fate: toFate(index), turns: 1 }));

const turns = fc.nat({ max: 12 });
const fate = fc.constantFrom<Fate>('done', 'done', 'done', 'done', 'refused', 'stopping', 'interrupted-within');
const plans = fc.array(fc.record({ fate, turns }), { maxLength: 60 });

describe('acting on each of many', () => {
  test('each is begun once and in order, told once and in order, and as it ended', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.boolean(), async (list, singly) => {
        const { begun, most, told } = await play(list, singly);
        expect(begun).toEqual([...begun.keys()]);
        expect(told.map(({ item }) => item)).toEqual([...list.keys()]);
        expect(most).toBeLessThanOrEqual(singly || list.length <= 8 ? 1 : 8);
        for (const [index, { outcome }] of told.entries()) {
          const expected = begun.includes(index) ? (list[index]?.fate === 'done' ? 'done' : 'failed') : 'not-attempted';
          expect(outcome.kind).toBe(expected);
        }
        // Nothing but an end that would meet all of them keeps any from being begun.
        const stopped = begun.some((index) => STOPS.has(list[index]?.fate ?? 'done'));
        expect(begun.length === list.length || stopped).toBe(true);
      }),
    );
  });

  test('after the end that stops the rest, no more are begun than were on their way', async () => {
    for (let at = 0; at < 60; at += 1) {
      const { begun } = await play(toPlans(100, (index) => (index === at ? 'stopping' : 'done')));
      expect(begun.length).toBeGreaterThan(at);
      expect(begun.length).toBeLessThanOrEqual(at + 8);
    }
  });

  test('the first is alone, and so finds out for all', async () => {
    const { begun, told } = await play(toPlans(50, (index) => (index === 0 ? 'stopping' : 'done')));
    expect(begun).toEqual([0]);
    expect(told.filter(({ outcome }) => outcome.kind === 'not-attempted')).toHaveLength(49);
  });

  test('a signal before anything of the item left: not attempted, and the signal is known', async () => {
    const { told } = await play(toPlans(3, (index) => (index === 1 ? 'interrupted-before' : 'done')));
    expect(told.map(({ outcome }) => outcome)).toEqual([
      { kind: 'done', value: 0 },
      { kind: 'not-attempted', reason: SIGNAL },
      { kind: 'not-attempted', reason: SIGNAL },
    ]);
  });

  test('eight without an answer, one after the other, stop the rest; seven do not', async () => {
    const list = (count: number) => toPlans(30, (index) => (index < count ? 'unavailable' : 'done'));
    expect((await play(list(7))).begun).toHaveLength(30);
    expect((await play(list(8))).begun).toHaveLength(8);
  });

  test('a mistake of the command line is no outcome of the first item', async () => {
    const all = actOnEach([1, 2, 3], () => Promise.reject(new UsageError('read-only')));
    await expect(all.next()).rejects.toThrow('read-only');
  });

  test('a fault of its own is thrown, and nothing more is begun', async () => {
    const begun: number[] = [];
    const all = actOnEach([...Array(40).keys()], async (index) => {
      begun.push(index);
      await new Promise(setImmediate);
      if (index === 3) throw new TypeError('a bug');
      return index;
    });
    const run = async () => {
      for await (const _end of all);
    };
    await expect(run()).rejects.toThrow('a bug');
    expect(begun.length).toBeLessThan(12);
  });

  test('whoever stops listening begins nothing more', async () => {
    const begun: number[] = [];
    for await (const { item } of actOnEach([...Array(100).keys()], async (index) => begun.push(index))) {
      if (item === 20) break;
    }
    const count = begun.length;
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(begun).toHaveLength(count);
  });
});
