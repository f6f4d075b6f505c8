/** One parameter of one operation of the service's document: asked of the service itself, and by a command. */
export interface Row {
  /** Method and path, as the document heads it. */
  readonly operation: string;
  /** The parameters this row is about, by their names in the document; a colon marks those of the path. */
  readonly parameters: readonly string[];
  /** What is given for them. */
  readonly given: string;
  /** Path below the base URL, and body. */
  readonly ask: { readonly path: string; readonly body?: object };
  readonly answer: { readonly status: number; readonly body?: unknown };
  /** `-o json` is added. */
  readonly argv: string;
  /** Every request of the command: method, path, body. */
  readonly requests: readonly string[];
  /** What the command prints, as JSON. */
  readonly prints: unknown;
  /** Each line of stderr. */
  readonly says?: readonly string[];
}
