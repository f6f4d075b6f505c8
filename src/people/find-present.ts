import { foldEmail } from '../email.ts';
import { EMAILS_AT_ONCE, type FoundMembership, type Memberships, type ReadingIntent } from '../service/memberships.ts';
import { LARGEST_PAGE } from '../service/pages.ts';
import { countThings } from '../text/count.ts';

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
      ? `Reading all ${total} members of ${organization} (${countRequests(reading)}) instead of asking for ${emails.length} emails (up to ${asking}).`
      : `Asking ${organization} for ${emails.length} emails (up to ${countRequests(asking)})${reading === undefined ? '' : ` instead of reading all ${total} members (${reading})`}.`,
  );
  return await memberships.findByEmail(organization, emails, intent, all ? 'read-all' : 'ask');
}

function countRequests(count: number): string {
  return countThings(count, 'request', 'requests');
}
