import { UsageError } from '../../errors.ts';

// Commas and brackets would change what the service is asked; the rest is the service's to judge.
const EMAIL = /^[^\s@,;<>()[\]"\\]{1,64}@[^\s@,;<>()[\]"\\]+\.[^\s@.,;<>()[\]"\\]+$/u;
const LONGEST_EMAIL = 254;

/** The address, trimmed. Throws UsageError naming the text when it is none. */
export function parseEmail(text: string): string {
  const email = text.trim();
  if (!EMAIL.test(email) || email.length > LONGEST_EMAIL || /\p{Cc}/u.test(email)) {
    throw new UsageError(`'${text}' is not an email address`, { hint: 'Give it as name@example.com.' });
  }
  return email;
}
