import { UsageError } from '../lib/errors.ts';

/** Throws UsageError, and so does the returned function for a value that does not fit. */
export async function compileQuery(expression: string): Promise<(value: unknown) => unknown> {
  const { default: jmespath } = await import('jmespath');
  const attempt = <T>(act: () => T, problem = '--query'): T => {
    try {
      return act();
    } catch (error) {
      throw new UsageError(`${problem}: ${error instanceof Error ? error.message : error}`, {
        code: 'query',
        cause: error,
      });
    }
  };
  // The package's types lack this function.
  const { compile } = jmespath as unknown as { compile(expression: string): unknown };
  attempt(() => compile(expression), '--query: invalid JMESPath');
  return (value) => attempt(() => jmespath.search(value, expression));
}
