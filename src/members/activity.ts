import { UsageError } from '../lib/errors.ts';
import { type InputContext, readLines } from '../lib/input.ts';
import { isObject, type JsonObject, parseUncheckedJson } from '../lib/json.ts';
import { joinNames } from '../lib/text.ts';
import { formatUtc, parseInstant } from '../lib/time.ts';
import { getField } from '../output/columns.ts';

export interface Activity {
  /** Milliseconds since 1970. */
  first: number;
  last: number;
  /** By organization and user, the time of the last event. */
  byOrg: Map<string, Map<string, string>>;
}

/** Reads what `audit-trail follow` printed as ndjson. Throws UsageError for a file without an event. */
export async function readActivity(context: InputContext, paths: string[]): Promise<Activity> {
  const activity: Activity = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY, byOrg: new Map() };
  for (const path of paths) {
    let hasEvents = false;
    for await (const lines of readLines(context, path)) {
      // A line may be torn.
      for (const line of lines) if (addEvent(activity, parseUncheckedJson(line))) hasEvents = true;
    }
    if (hasEvents) continue;
    throw new UsageError(`${path === '-' ? 'stdin' : path} has no event of an audit trail`, {
      hint: 'What `orgctl audit-trail follow --cursor acme.cursor --once -o ndjson` prints has them.',
    });
  }
  return activity;
}

/** False for what is no event. */
function addEvent(activity: Activity, event: unknown): boolean {
  if (!isObject(event) || !isObject(event.auth) || typeof event.timestamp !== 'string') return false;
  const { accessor_id: user, organization_id: org, type, impersonator_id: impersonator } = event.auth;
  const time = parseInstant(event.timestamp);
  if (time === undefined || typeof org !== 'string') return false;
  activity.first = Math.min(activity.first, time);
  activity.last = Math.max(activity.last, time);
  const users = activity.byOrg.get(org) ?? new Map<string, string>();
  activity.byOrg.set(org, users);
  // An event of an impersonated person is the work of somebody else.
  if (typeof user !== 'string' || type === 'Impersonated' || (impersonator ?? null) !== null) return true;
  const before = users.get(user);
  if (before === undefined || Date.parse(before) < time) users.set(user, event.timestamp);
  return true;
}

/** Null for somebody without an event. `orgId` is undefined if the service doesn't show it. */
export function findLastActive({ byOrg }: Activity, orgId: unknown, record: JsonObject): string | null {
  return byOrg.get(String(orgId))?.get(String(getField(record, 'user.id'))) ?? null;
}

/** `2026-11-07 09:00 UTC to 2026-11-21 09:00 UTC; of acme; not of globex` */
export function describeActivity({ first, last, byOrg }: Activity, orgIds: Map<string, unknown>): string {
  const name = (word: string, has: (id: unknown) => boolean): string[] => {
    const names = [...orgIds.keys()].filter((org) => has(orgIds.get(org)));
    return names.length > 0 ? [`${word} ${joinNames(names.sort())}`] : [];
  };
  return [
    `${formatUtc(first)} to ${formatUtc(last)}`,
    ...name('of', (id) => byOrg.has(String(id))),
    ...name('not of', (id) => typeof id === 'string' && !byOrg.has(id)),
    ...name('unknown whether of', (id) => id === undefined),
  ].join('; ');
}
