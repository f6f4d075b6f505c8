import type { Route } from './route.ts';

/** Where the service lives below its origin; the same routes answer without it, for a base URL at the root. */
export const API_PREFIX = '/api/v2';

/** Assumed: HEAD is answered by the GET of the same path. */
export function createRouter(routes: readonly Route[]) {
  const patterns = routes.map((route) => ({ route, pattern: toPattern(route.path) }));
  return (method: string, path: string) => {
    const wanted = method === 'HEAD' ? 'GET' : method;
    const prefix = path.startsWith(`${API_PREFIX}/`) ? API_PREFIX : '';
    for (const { route, pattern } of patterns) {
      if (route.method !== wanted || (prefix !== '' && route.atOrigin === true)) continue;
      const match = pattern.exec(path.slice(prefix.length));
      const params = match === null ? undefined : decode(match.groups ?? {});
      if (params !== undefined) return { route, params, prefix };
    }
    return undefined;
  };
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
}

/** Undefined where a percent sign begins no escape, since no path of the service has such a one. */
function decode(params: Readonly<Record<string, string>>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}
