import { UsageError } from '../../errors.ts';
import { withoutTrailingSlashes } from '../../trailing-slashes.ts';

export interface ApiPath {
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
}

const FORM = 'Give a path below the base URL, such as /organizations/acme/teams.';
const MOST_LAYERS = 5;

/**
 * Reads a path as it is typed. Throws UsageError for whatever could lead away from the base URL: another origin,
 * and dots that climb, however they are encoded. `basePath` is the path of the base URL.
 */
export function parseApiPath(text: string, basePath: string): ApiPath {
  const refuse = (why: string, hint = FORM): UsageError =>
    new UsageError(`can't use the path '${text}': it ${why}`, { hint });
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) {
    throw refuse('is an address of its own', `${FORM} Use --base-url or --host for another service.`);
  }
  if (!text.startsWith('/')) throw refuse("doesn't begin with a slash");
  if (text.startsWith('//')) throw refuse('names another host');
  if (/[\p{Cc}\p{Surrogate}\\#]/u.test(text)) {
    throw refuse("has a character that paths don't have", 'Write it percent-encoded: # is %23, \\ is %5C.');
  }
  const [written = '', ...rest] = text.split('?');
  for (const segment of decodeLayers(written, refuse).flatMap((layer) => layer.split(/[/\\]/))) {
    if (segment === '.' || segment === '..') throw refuse('climbs with dots');
  }
  const start = withoutTrailingSlashes(basePath);
  if (start !== '' && (written === start || written.startsWith(`${start}/`))) {
    throw refuse(`repeats ${start}, which the base URL ends in`, `Leave it out: ${text.slice(start.length) || '/'}`);
  }
  return { path: new URL(`http://path.invalid${written}`).pathname, query: [...new URLSearchParams(rest.join('?'))] };
}

/** The text, and what it becomes as it is decoded again and again: some servers and proxies decode twice. */
function decodeLayers(text: string, refuse: (why: string) => UsageError): readonly string[] {
  const layers = [text];
  for (let layer = text; layers.length <= MOST_LAYERS; ) {
    let next: string;
    try {
      next = decodeURIComponent(layer);
    } catch {
      // Only what was typed has to be an escape; what it stands for may hold any percent sign.
      if (layers.length === 1) throw refuse('has a percent sign that begins no escape');
      return layers;
    }
    if (next === layer) return layers;
    layers.push(next);
    layer = next;
  }
  throw refuse('is percent-encoded again and again');
}
