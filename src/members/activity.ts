import type { Client } from '../api/client.ts';
import { readDecoration } from '../api/not-found.ts';
import { findOrganization } from '../api/organizations.ts';
import { UsageError } from '../lib/errors.ts';
import { type InputContext, readLines } from '../lib/input.ts';
import { getField, isObject, type JsonObject, parseUncheckedJson } from '../lib/json.ts';
import { joinNames } from '../lib/text.ts';
import { formatUtc, parseInstant } from '../lib/time.ts';

interface Activity {
  /** Milliseconds since 1970. */
  first: number;
  last: number;
  /** The time of a user's last event, by the ids of the organization and the user. */
  users: Map<string, Map<string, string>>;
  /** By name. Undefined if the service doesn't show the id. */
  orgIds: Map<string, unknown>;
}

/** Reads what `audit-trail follow` printed as ndjson. Throws UsageError for a file without an event. */
export async function openActivity(context: InputContext, client: Client, paths: string[]) {
  const activity: Activity = { first: Infinity, last: -Infinity, users: new Map(), orgIds: new Map() };
  for (const path of paths) {
    let hasEvents = false;
    for await (const lines of readLines(context, path)) {
      // A line may be torn.
      for (const line of lines) if (addEvent(activity, parseUncheckedJson(line))) hasEvents = true;
    }
    if (hasEvents) continue;
    throw new UsageError(`${path === '-' ? 'stdin' : path} contains no audit trail events`, {
      hint: 'Make it with `orgctl audit-trail follow --cursor acme.cursor --once -o ndjson`.',
    });
  }
  return {
    /** Adds to rows of people when they were last active. */
    async add(org: string, records: JsonObject[]): Promise<JsonObject[]> {
      const id = (await readDecoration(findOrganization(client, org)))?.['external-id'];
      activity.orgIds.set(org, id);
      const users = activity.users.get(String(id));
      const findLast = (record: JsonObject) => users?.get(String(getField(record, 'user.id'))) ?? null;
      return records.map((record) => ({ ...record, 'last-active-at': findLast(record) }));
    },
    describe: () => describeActivity(activity),
  };
}

/** Returns false for a value that is not an event. */
function addEvent(activity: Activity, event: unknown): boolean {
  if (!isObject(event) || !isObject(event.auth) || typeof event.timestamp !== 'string') return false;
  const { accessor_id: user, organization_id: org, type, impersonator_id: impersonator } = event.auth;
  const time = parseInstant(event.timestamp);
  if (time === undefined || typeof org !== 'string') return false;
  activity.first = Math.min(activity.first, time);
  activity.last = Math.max(activity.last, time);
  const users = activity.users.get(org) ?? new Map<string, string>();
  activity.users.set(org, users);
  // An event of an impersonated person is the work of somebody else.
  if (typeof user !== 'string' || type === 'Impersonated' || (impersonator ?? null) !== null) return true;
  const before = users.get(user);
  if (before === undefined || Date.parse(before) < time) users.set(user, event.timestamp);
  return true;
}

/** `2026-11-07 09:00 UTC to 2026-11-21 09:00 UTC; of acme; not of globex` */
function describeActivity({ first, last, users, orgIds }: Activity): string {
  const name = (word: string, has: (id: unknown) => boolean): string[] => {
    const names = [...orgIds].flatMap(([org, id]) => (has(id) ? [org] : []));
    return names.length > 0 ? [`${word} ${joinNames(names.sort())}`] : [];
  };
  return [
    `${formatUtc(first)} to ${formatUtc(last)}`,
    ...name('of', (id) => users.has(String(id))),
    ...name('not of', (id) => typeof id === 'string' && !users.has(id)),
    ...name('unknown whether of', (id) => id === undefined),
  ].join('; ');
}
