import * as v from 'valibot';
import { asObject, type Context } from './context.ts';
import { createValidationError, type HttpError } from './errors.ts';

export function text(label: string, pattern = /^/, message = `${label} is invalid`) {
  return v.pipe(
    v.nullish(v.unknown(), ''),
    v.string(`${label} must be a string`),
    v.nonEmpty(`${label} can't be blank`),
    v.regex(pattern, message),
  );
}

/** A missing object counts as an empty one, so that its required members are reported. */
export function optionalObject<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(v.optional(v.unknown(), null), v.transform(asObject), v.object(entries));
}

/** The attributes of the request's resource. `type`: undefined if any is valid. Throws 422. */
export function parseAttributes<const Entries extends v.ObjectEntries>(
  ctx: Context,
  type: string | undefined,
  entries: Entries,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> {
  const data = asObject(ctx.body()['data']);
  if (type !== undefined && data['type'] !== type) throw createFieldError('type', `Type must be ${type}`);
  const parsed = v.safeParse(v.object(entries), asObject(data['attributes']), { abortPipeEarly: true });
  if (parsed.success) return parsed.output;
  const errors = parsed.issues.map(({ path = [], message }) => ({
    detail: message,
    pointer: ['/data/attributes', ...path.map(({ key }) => key)].join('/'),
  }));
  throw createValidationError(...errors);
}

export function createFieldError(member: string, detail: string): HttpError {
  return createValidationError({ detail, pointer: `/data/${member}` });
}
