import type { Route } from './route.ts';

interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly prefix: string;
}

export type Router = (method: string, path: string) => Match | undefined;

/** Where the service lives below its origin; the same routes answer without it, for a base URL at the root. */
export const API_PREFIX = '/api/v2';

/** Where the sandbox's own routes are, which no service has. */
export const CONTROL_PREFIX = '/sandbox/';

/** Assumed: HEAD is answered by the GET of the same path. */
export function createRouter(routes: readonly Route[]): Router {
  const patterns = routes.map((route) => ({ route, segments: route.path.split('/') }));
  return (method, path) => {
    const wanted = method === 'HEAD' ? 'GET' : method;
    const prefixed = path.startsWith(`${API_PREFIX}/`);
    const segments = (prefixed ? path.slice(API_PREFIX.length) : path).split('/');
    for (const { route, segments: pattern } of patterns) {
      if (route.method !== wanted || (prefixed && route.atOrigin === true)) continue;
      const params = matchSegments(pattern, segments);
      if (params !== undefined) return { route, params, prefix: prefixed ? API_PREFIX : '' };
    }
    return undefined;
  };
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':')) {
      const value = decodeSegment(segment);
      if (value === undefined || value === '') return undefined;
      params[part.slice(1)] = value;
    } else if (part !== segment) {
      return undefined;
    }
  }
  return params;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A percent sign without an escape.
    return undefined;
  }
}
