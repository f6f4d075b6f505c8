import { describe, expect, it } from 'vitest';
import { OrgctlError } from '../../../src/old/errors.ts';
import { type Hold, sideBySide } from '../../../src/old/organizations/side-by-side.ts';

const turn = () => new Promise(setImmediate);
const settle = async () => {
  for (let count = 0; count < 20; count += 1) await turn();
};
const toNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `org-${String(index).padStart(3, '0')}`);

/** Readings that go on when they are let. */
function createReadings(pages: (organization: string) => readonly number[]) {
  const begun: string[] = [];
  const given: string[] = [];
  const gates = new Map<string, () => void>();
  async function* read(organization: string, hold: Hold): AsyncGenerator<number> {
    begun.push(organization);
    if (closed.has(organization)) await new Promise<void>((open) => gates.set(organization, open));
    for (const records of pages(organization)) {
      await hold(records);
      given.push(organization);
      yield records;
    }
  }
  const closed = new Set<string>();
  return {
    read,
    begun,
    given,
    closed,
    open(organization: string) {
      gates.get(organization)?.();
    },
  };
}

async function readAll<Piece>(steps: AsyncIterable<Piece>): Promise<readonly Piece[]> {
  const all: Piece[] = [];
  for await (const step of steps) all.push(step);
  return all;
}

describe('sideBySide', () => {
  it('gives the pieces in the order of the organizations, whichever come first', async () => {
    const { read, closed, open, given } = createReadings(() => [1, 2]);
    closed.add('a');
    const steps = readAll(sideBySide(['a', 'b', 'c'], read));
    await settle();
    expect(given).toEqual(['b', 'c', 'b', 'c']);
    open('a');
    expect(await steps).toEqual(
      ['a', 'b', 'c'].flatMap((organization) => [1, 2].map((piece) => ({ organization, piece }))),
    );
  });

  it('begins eight at a time', async () => {
    const names = toNames(20);
    const { read, closed, open, begun } = createReadings(() => [1]);
    for (const name of names) closed.add(name);
    const steps = readAll(sideBySide(names, read));
    await settle();
    expect(begun).toEqual(names.slice(0, 8));
    open('org-003');
    await settle();
    expect(begun).toEqual(names.slice(0, 9));
    for (const name of names) {
      await settle();
      open(name);
    }
    expect(await steps).toHaveLength(20);
  });

  it('lets no more than a thousand records wait for their turn', async () => {
    const names = toNames(30);
    const { read, closed, open, given } = createReadings(() => [300, 300]);
    closed.add('org-000');
    const steps = readAll(sideBySide(names, read));
    await settle();
    expect(given).toHaveLength(3);
    open('org-000');
    expect(await steps).toHaveLength(60);
  });

  it('lets one wait that alone has more', async () => {
    const { read, closed, open, given } = createReadings(() => [5_000]);
    closed.add('a');
    const steps = readAll(sideBySide(['a', 'b', 'c'], read));
    await settle();
    expect(given).toEqual(['b']);
    open('a');
    expect(await steps).toHaveLength(3);
  });

  it('holds the one whose turn it is where its pieces are not taken', async () => {
    const { read, given } = createReadings(() => [1, 1, 1, 1, 1]);
    const steps = sideBySide(['a'], read);
    await steps.next();
    await settle();
    expect(given.length).toBeLessThan(5);
    expect(await readAll(steps)).toHaveLength(4);
  });

  it('gives the error of one that fails after what it gave, and the others', async () => {
    const error = new OrgctlError('not-found', 'gone');
    const steps = sideBySide(['a', 'b', 'c'], async function* (organization) {
      yield organization;
      if (organization === 'b') throw error;
    });
    expect(await readAll(steps)).toEqual([
      { organization: 'a', piece: 'a' },
      { organization: 'b', piece: 'b' },
      { organization: 'b', error },
      { organization: 'c', piece: 'c' },
    ]);
  });

  it.each([
    ['unavailable', 8],
    ['rate-limited', 1],
    ['not-authenticated', 20],
    ['not-found', 20],
  ] as const)('of 20 that end with %s, asks %d', async (exit, asked) => {
    const names = toNames(20);
    const steps = await readAll(
      sideBySide(names, async function* (organization) {
        yield await turn().then((): string => {
          throw new OrgctlError(exit, organization);
        });
      }),
    );
    expect(steps.map((step) => ('error' in step ? step.error?.message : step.piece))).toEqual(
      names.map((name, index) => (index < asked ? name : undefined)),
    );
  });

  it.each([
    ['an answer', undefined],
    ['a refusal', new OrgctlError('forbidden', 'no')],
  ])('counts those without an answer one after the other: %s is between them', async (_name, refusal) => {
    const names = toNames(20);
    const steps = await readAll(
      sideBySide(names, async function* (organization) {
        if (organization !== 'org-007') throw new OrgctlError('unavailable', 'no answer');
        if (refusal !== undefined) throw refusal;
        yield organization;
      }),
    );
    const unanswered = steps.filter((step) => 'error' in step && step.error?.exit === 'unavailable');
    expect(unanswered).toHaveLength(15);
  });

  it.each([new OrgctlError('interrupted', 'Interrupted.'), new TypeError('a bug')])('throws %s', async (error) => {
    const steps = sideBySide(['a', 'b'], async function* (organization): AsyncGenerator<string> {
      if (organization === 'b') throw error;
      yield organization;
    });
    await steps.next();
    await expect(steps.next()).rejects.toBe(error);
  });

  it('ends the readings under way where no one reads on', async () => {
    const ended: string[] = [];
    const steps = sideBySide(['a', 'b'], async function* (organization, hold) {
      try {
        for (;;) {
          await hold(600);
          yield organization;
          await turn();
        }
      } finally {
        ended.push(organization);
      }
    });
    await steps.next();
    await settle();
    await steps.return(undefined);
    await settle();
    expect(ended.sort()).toEqual(['a', 'b']);
  });

  it('reads the next one while what was collected of the one before it is given', async () => {
    const asked: string[] = [];
    const steps = sideBySide(['a', 'b', 'c'], async function* (organization, hold) {
      for (let page = 1; page <= 30; page += 1) {
        await hold(100);
        await turn();
        asked.push(organization);
      }
      if (organization === 'a') hold.end();
      for (let piece = 1; piece <= 5; piece += 1) yield piece;
    });
    expect(await steps.next()).toEqual({ done: false, value: { organization: 'a', piece: 1 } });
    await settle();
    await settle();
    const count = (wanted: string): number => asked.filter((name) => name === wanted).length;
    expect({ a: count('a'), b: count('b'), c: count('c') < 11 }).toEqual({ a: 30, b: 30, c: true });
    await steps.return(undefined);
  });
});
