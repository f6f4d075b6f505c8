import { expect, test } from 'vitest';
import { readEach } from '../../src/cli/each-org.ts';
import { OrgctlError } from '../../src/lib/errors.ts';

const fanOut = <T>(orgs: string[], read: (org: string) => Promise<T>) =>
  readEach({ progress: () => undefined, explain: async (error) => error }, orgs, read, []);
const names = Array.from({ length: 40 }, (_, at) => `org-${at}`);

async function collect<T>(results: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const result of results) all.push(result);
  return all;
}

test('gives results in the order of the names, whichever comes first, and goes on if one fails', async () => {
  const error = new OrgctlError('not-found', 'no');
  const waiting = new Map<string, (value: string | Promise<string>) => void>();
  const results = collect(fanOut(['a', 'b', 'c'], (org) => new Promise<string>((give) => waiting.set(org, give))));
  await new Promise(setImmediate);
  waiting.get('c')?.('C');
  waiting.get('b')?.(Promise.reject(error));
  waiting.get('a')?.('A');
  expect(await results).toEqual([
    { org: 'a', value: 'A' },
    { org: 'b', error },
    { org: 'c', value: 'C' },
  ]);
});

test('reads few ahead of what is taken', async () => {
  const begun: string[] = [];
  for await (const { org } of fanOut(names, async (name) => begun.push(name))) {
    await new Promise(setImmediate);
    expect(begun.length).toBeLessThanOrEqual(names.indexOf(org) + 17);
  }
  expect(begun).toEqual(names);
});

test('ends at a signal', async () => {
  const begun: string[] = [];
  const read = async (org: string): Promise<void> => {
    begun.push(org);
    throw new OrgctlError('interrupted', 'Interrupted.');
  };
  await expect(collect(fanOut(names, read))).rejects.toThrow('Interrupted.');
  expect(begun.length).toBeLessThan(names.length);
});
