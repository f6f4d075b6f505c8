import { UsageError } from '../errors.ts';
import type { Output } from '../stdout/output.ts';

const HINTS = {
  '--fields': 'Add token to --fields.',
  '--query': "Add token to the query, such as '{token: token, id: id}'.",
};

/** Throws UsageError where the object that is printed would not have the secret, which is nowhere else. */
export function refuseMissingSecret(output: Output): void {
  const option = output.findHiding('token');
  if (option === undefined) return;
  throw new UsageError(`${option} leaves out token: the new secret would be lost`, { hint: HINTS[option] });
}
