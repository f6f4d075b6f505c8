import { UsageError } from './errors.ts';

// Commas and brackets would change what the service is asked; the rest is the service's to judge.
const EMAIL = /^[^\s@,;<>()[\]"\\]{1,64}@[^\s@,;<>()[\]"\\]+\.[^\s@.,;<>()[\]"\\]+$/u;
export const EMAIL_FORM = 'Give it as name@example.com.';
const LONGEST_EMAIL = 254;
const LONGEST_EXCERPT = 100;

/** The address to invite, trimmed. Throws UsageError naming the text when it is none. */
export function parseEmail(text: string): string {
  return checkEmail(text, text.trim());
}

/** An address that the service may have already, trimmed: there hosts need no dot in their names. Throws UsageError. */
export function parseKnownEmail(text: string): string {
  return checkEmail(text, `${text.trim()}.local`);
}

function checkEmail(text: string, form: string): string {
  const email = text.trim();
  if (email.length > LONGEST_EMAIL || !EMAIL.test(form) || /\p{Cc}/u.test(email)) {
    throw new UsageError(`'${toExcerpt(text)}' is not an email address`, { hint: EMAIL_FORM });
  }
  return email;
}

/** Emails are compared without case. */
export function foldEmail(email: string): string;
export function foldEmail(email: string | undefined): string | undefined;
export function foldEmail(email: string | undefined): string | undefined {
  return email?.trim().toLowerCase();
}

/** Values by email, whatever its case. */
export class ByEmail<Value> extends Map<string, Value> {
  override get(email: string): Value | undefined {
    return super.get(foldEmail(email));
  }
  override has(email: string): boolean {
    return super.has(foldEmail(email));
  }
  override set(email: string, value: Value): this {
    return super.set(foldEmail(email), value);
  }
}

function toExcerpt(text: string): string {
  return text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}…` : text;
}
