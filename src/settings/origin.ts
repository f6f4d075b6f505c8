/** The origin a stored token is meant for: of a URL, or of a bare host name, which means https. What is neither stays. */
export function toOrigin(written: string): string {
  const url = /^https?:\/\//i.test(written) ? written : `https://${written}`;
  return URL.canParse(url) ? new URL(url).origin : written;
}
