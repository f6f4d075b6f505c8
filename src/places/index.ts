import { resolve } from 'node:path';
import { isSignal, OrgctlError, UsageError } from '../lib/errors.ts';
import { formatFileError } from '../lib/files.ts';
import { joinNames } from '../lib/text.ts';
import type { Place, PlaceContext } from './place.ts';

interface PlaceKind {
  kind: string;
  /** Capitals stand for any text. */
  form: string;
  /** `value` is the text behind the kind. `open` throws UsageError, methods of the place may throw any error. */
  load(): Promise<{ open(value: string, context: PlaceContext): Place }>;
}

/** A place is loaded when a token goes there. */
export const PLACES: PlaceKind[] = [
  { kind: 'file', form: 'file:PATH', load: () => import('./file.ts') },
  { kind: 'env-file', form: 'env-file:PATH#KEY', load: () => import('./env-file.ts') },
  { kind: 'exec', form: 'exec:COMMAND', load: () => import('./exec.ts') },
  { kind: 'github-output', form: 'github-output:NAME', load: () => import('./github-output.ts') },
  { kind: 'stdout', form: 'stdout', load: async () => ({ open: openStdout }) },
];

function openStdout(_value: string, { output }: PlaceContext): Place {
  const deliver = (secret: string) => output.secret(`${secret}\n`);
  return { name: 'stdout', id: 'stdout', check: async () => undefined, deliver };
}

/** `file:PATH, … or stdout` */
export const PLACE_FORMS = joinNames(
  PLACES.map(({ form }) => form),
  'or',
);

function parsePlace(text: string, source: string): PlaceKind & { value: string } {
  const found = PLACES.find(({ form }) => new RegExp(`^${form.replace(/[A-Z]+/g, '.+')}$`, 's').test(text));
  if (found) return { ...found, value: text.slice(found.kind.length + 1) };
  throw new UsageError(`${source}: '${text}' is not a place for a secret`, {
    hint: `It must look like ${PLACE_FORMS}.`,
  });
}

export function parsePlaces(text: string, source: string): string[] {
  const places = text.split('\n');
  for (const place of places) parsePlace(place, source);
  return places;
}

export function resolvePlace(text: string, cwd: string): string {
  const { kind, form, value } = parsePlace(text, 'to');
  return form.includes('PATH') ? `${kind}:${resolve(cwd, value)}` : text;
}

export async function openPlace(text: string, context: PlaceContext): Promise<Place> {
  const { redactor } = context;
  const { load, value } = parsePlace(text, '--to');
  const { open } = await load();
  const place = open(fillOrg(value, context.org), context);
  const explain = (error: unknown): string => redactor.text(formatFileError(error));
  return {
    ...place,
    async check() {
      try {
        await place.check();
      } catch (error) {
        if (error instanceof UsageError) throw error;
        throw new UsageError(`can't deliver to ${place.name}: ${explain(error)}`, { cause: error });
      }
    },
    async deliver(secret) {
      redactor.add(secret);
      try {
        await place.deliver(secret);
      } catch (error) {
        if (isSignal(error)) throw error;
        const message = `the new token was not delivered to ${place.name}: ${explain(error)}`;
        throw new OrgctlError('not-delivered', message, { cause: error });
      }
    },
  };
}

/** Throws UsageError if one place would overwrite what another got. */
export function assertDistinct(places: Place[]): void {
  for (const [index, place] of places.entries()) {
    const other = places.slice(0, index).find((each) => isSamePlace(each, place));
    if (other) throw new UsageError(`${other.name} and ${place.name} are the same file`);
  }
}

/** Two keys of one file are different places, unless a third place is the whole file. */
function isSamePlace(one: Place, other: Place): boolean {
  if (one.file === undefined || one.file !== other.file) return false;
  return one.id === other.id || [one.id, other.id].includes(one.file);
}

function fillOrg(text: string, org: string): string {
  if (!text.includes('{org}')) return text;
  // The service chooses the name, which may become a part of a path, or a word of a command.
  if (!/^\w[\w-]*$/.test(org)) throw new UsageError(`--to: the name '${org}' can't replace {org}`);
  return text.replaceAll('{org}', org);
}
