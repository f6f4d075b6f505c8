import type { Context } from '../../context/context.ts';
import { OrgctlError } from '../../errors.ts';
import { createDirectories } from '../../people/directory.ts';
import type { Service } from '../../service/service.ts';
import { countAny, countThings, formatCount } from '../../text/count.ts';
import { listHidden } from '../../tokens/not-found.ts';
import { readTokens, TOKEN_KINDS } from '../../tokens/read-tokens.ts';
import { isAuditRouteKnown } from '../../tokens/token-state.ts';
import { DAY } from '../../when.ts';
import { type Finding, failedBy, ok } from './finding.ts';

const CHECK = 'tokens';
const SOON = 30 * DAY;

/** How many tokens the organization and its teams have, and how many of them end soon. */
export async function examineTokens(context: Context, service: Service): Promise<Finding> {
  const { identity, organizations, screen, places } = context;
  const directory = createDirectories(service, organizations, screen.note).of(identity.organization());
  try {
    const { counts, unseen, shownKinds } = await readTokens(directory, {
      kinds: TOKEN_KINDS,
      isAuditRouteKnown: () => isAuditRouteKnown(context),
      now: places.host.now(),
      within: SOON,
      isWanted: () => false,
      isLate: () => false,
    });
    const hidden = listHidden(unseen, ({ kind }) => shownKinds.includes(kind));
    const facts = [
      `${countThings(counts.all, 'token', 'tokens')} in all, ${formatCount(counts.expiring)} to expire within 30 days`,
      ...countAny(counts.expired, 'expired'),
      ...countAny(hidden.length, hidden.length === 1 ? "kind can't be seen" : "kinds can't be seen"),
    ];
    return ok(CHECK, facts.join(', '));
  } catch (error) {
    if (error instanceof OrgctlError) return failedBy(CHECK, error);
    throw error;
  }
}
