import * as v from 'valibot';
import { asMembers, type Call } from './call.ts';
import { createInvalid, type Flaw, type Problem } from './errors.ts';

export function text(label: string, pattern = /^/, otherwise = `${label} is invalid`) {
  return v.pipe(
    v.nullish(v.unknown(), ''),
    v.string(`${label} must be a string`),
    v.nonEmpty(`${label} can't be blank`),
    v.regex(pattern, otherwise),
  );
}

/** An object; what is missing inside is reported as missing if there is none. */
export function members<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(v.optional(v.unknown(), null), v.transform(asMembers), v.object(entries));
}

type Values<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>;

/**
 * Reads the resource that a write sends. `type` is undefined if any is taken. One answer names everything that is wrong:
 * `values` has what is right so far, more can be noted, and `check` throws 422 with all of it.
 */
export function readForm<const Entries extends v.ObjectEntries>(
  call: Call,
  type: string | undefined,
  attributes: Entries,
) {
  const data = asMembers(call.body()['data']);
  const flaws: Flaw[] = [];
  const note = (member: string, detail: string): void => void flaws.push({ detail, pointer: `/data/${member}` });
  if (type !== undefined && data['type'] !== type) note('type', `Type must be ${type}`);
  const parsed = v.safeParse(v.object(attributes), asMembers(data['attributes']), { abortPipeEarly: true });
  const values: Record<string, unknown> = { ...(parsed.output as object) };
  for (const { path = [], message } of parsed.issues ?? []) {
    note(['attributes', ...path.map(({ key }) => key)].join('/'), message);
    delete values[String(path[0]?.key)];
  }
  return {
    data,
    values: values as Partial<Values<Entries>>,
    note,
    check(): Values<Entries> {
      if (flaws.length > 0) throw createInvalid(...flaws);
      return values as Values<Entries>;
    },
  };
}

export function createFlaw(member: string, detail: string): Problem {
  return createInvalid({ detail, pointer: `/data/${member}` });
}
