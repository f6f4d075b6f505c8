import { foldEmail } from '../email.ts';
import { EMAILS_AT_ONCE, type FoundMembership, type Memberships, type ReadingIntent } from '../service/memberships.ts';
import { LARGEST_PAGE } from '../service/pages.ts';

export interface People {
  readonly memberships: Memberships;
  note(text: string): void;
}

const FEW = 20;

/**
 * The memberships with these addresses, by folded address, found with the fewer requests: by asking for the addresses or
 * by reading the whole list, which throws `incomplete` when it kept changing.
 */
export async function findPresent(
  { memberships, note }: People,
  organization: string,
  emails: readonly string[],
  intent: ReadingIntent,
): Promise<ReadonlyMap<string, readonly FoundMembership[]>> {
  if (emails.length <= FEW) return await memberships.findByEmail(organization, emails, intent);
  const total = await memberships.count(organization, intent);
  // One request for so many addresses, and one more for each that is not in small letters.
  const asking =
    Math.ceil(emails.length / EMAILS_AT_ONCE) + emails.filter((email) => email !== foldEmail(email)).length;
  const reading = total === undefined ? undefined : Math.ceil(total / LARGEST_PAGE);
  const all = reading !== undefined && reading <= asking;
  note(
    all
      ? `reading all ${total} memberships of ${organization} (${countRequests(reading)}), rather than asking for ${emails.length} addresses (up to ${asking})`
      : `asking ${organization} for ${emails.length} addresses (up to ${countRequests(asking)})${reading === undefined ? '' : `, rather than reading all ${total} memberships (${reading})`}`,
  );
  return await memberships.findByEmail(organization, emails, intent, all ? 'read-all' : 'ask');
}

function countRequests(count: number): string {
  return count === 1 ? 'one request' : `${count} requests`;
}
