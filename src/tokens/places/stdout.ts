import type { Place, PlaceOptions } from './index.ts';

export function openStdout(_value: string, { print }: PlaceOptions): Place {
  return {
    name: 'stdout',
    check: async () => undefined,
    deliver: (secret) => print(`${secret}\n`),
  };
}
