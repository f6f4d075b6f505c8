import { toCellText } from '../../stdout/cell.ts';
import { joinNames, listNames } from '../../text/join.ts';
import type { AuditEvent } from '../../wire/resources.ts';

/** Which events are meant: of each option that is given, one of its texts. Compared without case. */
export interface Wanted {
  readonly actor: readonly string[] | undefined;
  readonly action: readonly string[] | undefined;
  readonly resource: readonly string[] | undefined;
}

interface Search {
  /** What an event has; messages name the first. */
  readonly values: (event: AuditEvent) => readonly unknown[];
  readonly isPart?: true;
  readonly none: string;
  readonly others: string;
}

const SEARCHES: Readonly<Record<keyof Wanted, Search>> = {
  actor: {
    values: ({ auth }) => [auth?.description, auth?.accessor_id],
    isPart: true,
    none: 'No event is by',
    others: 'the actors are',
  },
  action: {
    values: ({ resource }) => [resource?.action],
    none: 'No event has the action',
    others: 'the actions are',
  },
  resource: {
    values: ({ resource }) => [
      resource?.type,
      resource?.id,
      `${toCellText(resource?.type)}/${toCellText(resource?.id)}`,
    ],
    none: 'No event is about',
    others: 'the kinds are',
  },
};

export interface EventFilter {
  isMeant(event: AuditEvent): boolean;
  /** Why nothing of what was read is meant; undefined where something is, and where nothing was read. */
  explain(toHint: (email: string) => string): string | undefined;
}

/** The service has no such filter. Undefined where every event is meant. */
export function createFilter(wanted: Wanted): EventFilter | undefined {
  const searches = Object.entries(SEARCHES).flatMap(([name, search]) => {
    const texts = wanted[name as keyof Wanted];
    return texts === undefined ? [] : [{ name, search, texts, seen: new Set<string>(), isFound: false }];
  });
  if (searches.length === 0) return undefined;
  let isAnyMeant = false;
  return {
    isMeant(event) {
      let isMeant = true;
      for (const each of searches) {
        const values = each.search.values(event).map(toCellText);
        if (values[0] !== undefined && values[0] !== '') each.seen.add(values[0]);
        const isLike = isAnyLike(values, each.texts, each.search.isPart === true);
        each.isFound ||= isLike;
        isMeant &&= isLike;
      }
      isAnyMeant ||= isMeant;
      return isMeant;
    },
    explain(toHint) {
      if (isAnyMeant || searches.every(({ seen }) => seen.size === 0)) return undefined;
      const missed = searches.filter(({ isFound }) => !isFound);
      if (missed.length === 0) {
        const options = joinNames(searches.map(({ name }) => `--${name}`));
        return `There are events for each of ${options}, but none for all of them.`;
      }
      return missed
        .map(({ name, search: { none, others }, texts, seen }) => {
          const email = name === 'resource' ? texts.find((text) => text.includes('@')) : undefined;
          if (email !== undefined) return toHint(email);
          const all = [...seen].sort();
          return `${none} ${joinNames(texts, 'or')}${all.length === 0 ? '' : `; ${others} ${listNames(all)}`}.`;
        })
        .join(' ');
    },
  };
}

function isAnyLike(values: readonly string[], texts: readonly string[], isPart: boolean): boolean {
  const words = texts.map((text) => text.toLowerCase());
  return values
    .map((value) => value.toLowerCase())
    .some((value) => words.some((word) => (isPart ? value.includes(word) : value === word)));
}
