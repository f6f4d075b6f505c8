import * as v from 'valibot';
import { asObject, type Context } from './context.ts';
import { createValidationError, type FieldError, type HttpError } from './errors.ts';

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

type Values<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>;

/** `type`: undefined if any is valid. `values` has the valid attributes. `validate` throws 422 with all errors. */
export function readResource<const Entries extends v.ObjectEntries>(
  ctx: Context,
  type: string | undefined,
  attributes: Entries,
) {
  const data = asObject(ctx.body()['data']);
  const errors: FieldError[] = [];
  const addError = (member: string, detail: string): void => void errors.push({ detail, pointer: `/data/${member}` });
  if (type !== undefined && data['type'] !== type) addError('type', `Type must be ${type}`);
  const parsed = v.safeParse(v.object(attributes), asObject(data['attributes']), { abortPipeEarly: true });
  const values: Record<string, unknown> = { ...(parsed.output as object) };
  for (const { path = [], message } of parsed.issues ?? []) {
    addError(['attributes', ...path.map(({ key }) => key)].join('/'), message);
    delete values[String(path[0]?.key)];
  }
  return {
    data,
    values: values as Partial<Values<Entries>>,
    addError,
    validate(): Values<Entries> {
      if (errors.length > 0) throw createValidationError(...errors);
      return values as Values<Entries>;
    },
  };
}

export function createFieldError(member: string, detail: string): HttpError {
  return createValidationError({ detail, pointer: `/data/${member}` });
}
