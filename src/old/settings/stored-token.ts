/** A token is stored with the origin it belongs to: a profile's own token, and the only origin it may be sent to. */
export interface StoredToken {
  readonly origin: string;
  readonly token: string;
}

/** The tokens stored without a profile, by their origins as they are written in the file. */
export type StoredCredentials = Readonly<Record<string, string>>;

/** The origin of a URL, or of a bare host name, which means https. Any other text stays. */
export function toOrigin(written: string): string {
  const url = /^https?:\/\//i.test(written) ? written : `https://${written}`;
  return URL.canParse(url) ? new URL(url).origin : written;
}
