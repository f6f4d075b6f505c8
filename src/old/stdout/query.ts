import { search } from 'jmespath';
import { toReason, UsageError } from '../errors.ts';

/** What a JMESPath expression finds in a value; null where it finds nothing. Throws UsageError where a function can't take what it gets. */
export type Query = (value: unknown) => unknown;

/** Throws UsageError for a mistake that doesn't depend on the value. */
export function parseQuery(expression: string): Query {
  try {
    search(null, expression);
  } catch (error) {
    if (!isOfValue(error)) {
      throw new UsageError(`can't read --query: ${toReason(error)}`, {
        hint: "It is JMESPath, such as [?status=='invited'].email. More: orgctl help output",
        cause: error,
      });
    }
  }
  return (value) => {
    try {
      const found: unknown = search(value, expression);
      // The package finds members that objects inherit, too.
      return found === undefined || typeof found === 'function' ? null : found;
    } catch (error) {
      throw new UsageError(`--query doesn't fit the result: ${toReason(error)}`, {
        code: 'query',
        hint: 'Look at the result without --query.',
        cause: error,
      });
    }
  };
}

function isOfValue(error: unknown): boolean {
  return error instanceof TypeError || toReason(error).startsWith('TypeError');
}
