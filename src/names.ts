/** Names of organizations, teams and people, as the service compares them: without case. */

export function foldName(name: string): string;
export function foldName(name: string | undefined): string | undefined;
export function foldName(name: string | undefined): string | undefined {
  return name?.toLowerCase();
}

/** Also where neither is known. */
export function isSameName(one: string | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

/** Each name once, as it was written last. */
export function listDistinct(names: readonly string[], fold: (name: string) => string = foldName): readonly string[] {
  return [...new Map(names.map((name) => [fold(name), name])).values()];
}
