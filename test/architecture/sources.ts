import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';

/** The sources as text and as syntax trees. */

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The modules of a folder: a path such as `src/service/pace.ts` → its text. */
export function readSources(folder: 'src' | 'test'): ReadonlyMap<string, string> {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => posix.join(folder, ...path.split(sep)));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

export interface Comment {
  readonly value: string;
}

/** Throws for what is not TypeScript. */
export function parse(path: string, text: string): { readonly program: Node; readonly comments: readonly Comment[] } {
  const { program, comments, errors } = parseSync(path, text, { lang: 'ts' });
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  return { program: program as unknown as Node, comments };
}

/** Calls `visit` with every node and the one around it; what is below a node is left out where that gives false. */
export function walk(
  node: Node,
  visit: (node: Node, parent: Node | undefined) => unknown,
  parent: Node | undefined = undefined,
): void {
  if (visit(node, parent) === false) return;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, node);
  }
}
