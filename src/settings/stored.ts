/** What the files of settings and credentials hold, once read and checked. */

/** `config.json`. Names that are no setting are kept and ignored. */
export type StoredConfig = Readonly<Record<string, unknown>>;
/** Origins, as they are written there, and the token that belongs to each. */
export type StoredCredentials = Readonly<Record<string, string>>;
/** A profile's own token, and the only origin it may be sent to. */
export interface StoredToken {
  readonly origin: string;
  readonly token: string;
}
