import { UsageError } from '../lib/errors.ts';
import { assertVisible } from '../lib/input-text.ts';

// Commas, colons and brackets would change the request or come from a link; the service checks the rest.
const EMAIL = /^[^\s@,:;<>()[\]"\\\p{Cc}]{1,64}@[^\s@,;<>()[\]"\\\p{Cc}]+$/u;

/** Throws UsageError. */
export function parseEmail(text: string): string {
  assertVisible(text);
  const email = text.trim();
  if (email.length <= 254 && EMAIL.test(email)) return email;
  throw new UsageError(`'${text.slice(0, 100)}' is not an email address`, { hint: 'It looks like name@example.com.' });
}
