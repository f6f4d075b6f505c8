import { toCellText } from '../../stdout/cell.ts';
import type { AuditEvent } from '../../wire/resources.ts';

/** Which events are meant: of each option that is given, one of its texts. Compared without case. */
export interface Wanted {
  readonly actor: readonly string[] | undefined;
  readonly action: readonly string[] | undefined;
  readonly resource: readonly string[] | undefined;
}

/** The values of an event that each option looks into; in those of an actor also for a part. */
const SEARCHES: Readonly<Record<keyof Wanted, (event: AuditEvent) => readonly unknown[]>> = {
  actor: ({ auth }) => [auth?.description, auth?.accessor_id],
  action: ({ resource }) => [resource?.action],
  resource: ({ resource }) => [
    resource?.type,
    resource?.id,
    `${toCellText(resource?.type)}/${toCellText(resource?.id)}`,
  ],
};

/** The service has no such filter. Undefined where every event is meant. */
export function createFilter(wanted: Wanted): ((event: AuditEvent) => boolean) | undefined {
  const searches = (Object.keys(SEARCHES) as (keyof Wanted)[]).flatMap((name) => {
    const texts = wanted[name];
    return texts === undefined ? [] : [{ isPart: name === 'actor', read: SEARCHES[name], texts }];
  });
  if (searches.length === 0) return undefined;
  return (event) => searches.every(({ isPart, read, texts }) => isAnyLike(read(event).map(toCellText), texts, isPart));
}

function isAnyLike(values: readonly string[], texts: readonly string[], isPart: boolean): boolean {
  const words = texts.map((text) => text.toLowerCase());
  return values
    .map((value) => value.toLowerCase())
    .some((value) => words.some((word) => (isPart ? value.includes(word) : value === word)));
}
