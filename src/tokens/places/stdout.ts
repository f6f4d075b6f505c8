import type { OpenedPlace, PlaceOptions } from './index.ts';

export function openStdout(_value: string, { print }: PlaceOptions): OpenedPlace {
  return {
    name: 'stdout',
    check: async () => undefined,
    deliver: (secret) => print(`${secret}\n`),
  };
}
