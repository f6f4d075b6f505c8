import { foldEmail } from '../email.ts';
import type { Field } from '../stdout/columns.ts';
import { getField } from '../stdout/fields.ts';
import type { ReportRow } from '../wire/flat.ts';

/** What a row of a report says of a person, whether it was read now or stands in a file. */
export interface Facts {
  readonly organization: string | undefined;
  /** Folded. */
  readonly email: string | undefined;
  readonly id: string | undefined;
  readonly status: string | undefined;
  /** By name, or id where there is none. Undefined where it is unknown. */
  readonly teams: readonly string[] | undefined;
  readonly owner: boolean | undefined;
  /** Whether a second factor is on. */
  readonly secondFactor: boolean | undefined;
}

/** The field of each fact, in json, csv and with `--fields` alike. */
export const FACT_FIELDS = {
  organization: 'organization.id',
  email: 'email',
  id: 'id',
  status: 'status',
  teams: 'teams.name',
  owner: 'owner',
  secondFactor: 'user.two-factor.enabled',
} as const satisfies Record<keyof Facts, Field<ReportRow>>;

export const INVITED = 'invited';

/** In csv everything is a text, and empty where it is unknown. */
export function toFacts(record: ReportRow): Facts {
  const text = (fact: keyof Facts): string | undefined => {
    const value = getField(record, FACT_FIELDS[fact]);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const flag = (fact: keyof Facts): boolean | undefined => {
    const value = getField(record, FACT_FIELDS[fact]);
    return value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined;
  };
  const email = text('email');
  return {
    organization: text('organization'),
    email: foldEmail(email),
    id: text('id'),
    status: text('status'),
    teams: toTeams(record),
    owner: flag('owner'),
    secondFactor: flag('secondFactor'),
  };
}

/** As csv has them, so that a name with a comma in it is the same on both sides. */
function toTeams(record: ReportRow): readonly string[] | undefined {
  const names = getField(record, FACT_FIELDS.teams);
  if (typeof names === 'string') return split([names]);
  if (!Array.isArray(names)) return Array.isArray(record.teams) ? [] : undefined;
  const ids = getField(record, 'teams.id');
  return split(names.map((name: unknown, index) => String(name ?? (Array.isArray(ids) ? ids[index] : ''))));
}

function split(texts: readonly string[]): readonly string[] {
  const teams = texts.flatMap((text) => text.split(',')).map((team) => team.trim());
  return [...new Set(teams.filter((team) => team !== ''))];
}
