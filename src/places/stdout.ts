import type { OpenedPlace, PlaceContext } from './place.ts';

export function openStdout(_value: string, { print }: PlaceContext): OpenedPlace {
  return {
    name: 'stdout',
    check: async () => undefined,
    deliver: (secret) => print(`${secret}\n`),
  };
}
