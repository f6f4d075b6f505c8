import { UsageError } from '../lib/errors.ts';

/** A JMESPath expression, as a function. Throws UsageError, also when it is applied to what does not fit. */
export async function compileQuery(expression: string): Promise<(value: unknown) => unknown> {
  const { default: jmespath } = await import('jmespath');
  const attempt = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw new UsageError(`--query: ${error instanceof Error ? error.message : error}`, {
        code: 'query',
        cause: error,
      });
    }
  };
  // Its types leave this function out.
  const { compile } = jmespath as unknown as { compile(expression: string): unknown };
  attempt(() => compile(expression));
  return (value) => attempt(() => jmespath.search(value, expression));
}
