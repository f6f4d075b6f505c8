export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable's text. Empty ones count as unset. */
export function readVariable(env: Environment, name: string): string | undefined {
  const text = env[name];
  return text === '' ? undefined : text;
}
