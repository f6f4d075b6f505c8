/** The columns of a noun, as data that every format reads. */
export interface Columns {
  /** As messages say it: `No memberships found.` */
  readonly name: string;
  /** Default columns, in order: field paths such as `user.username`. */
  readonly shown: readonly string[];
  /** Every other field path known to exist. The service may send more, and those can be asked for too. */
  readonly fields?: readonly string[];
  /** `resource`: a JSON:API resource, flattened before it is shown. `record`: plain JSON, taken as it is. */
  readonly shape: 'resource' | 'record';
  /** Field paths that hold instants; a table shows those local and relative. */
  readonly times?: readonly string[];
  /** By field path: a value as people read it in a table. Other formats give it as it is. */
  readonly words?: Readonly<Record<string, (value: unknown) => string>>;
}

/** Every field path known to exist. */
export function listFields({ shown, fields = [] }: Columns): readonly string[] {
  return [...shown, ...fields];
}
