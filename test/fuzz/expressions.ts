import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';

/** Every regular expression literal in these sources, as `/pattern/flags`, each once, in order. */
export function findExpressions(folder: string): readonly string[] {
  const found = new Set<string>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts')) continue;
    visit(parseSync(path, readFileSync(join(folder, path), 'utf8')).program, found);
  }
  return [...found].sort();
}

function visit(node: unknown, found: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const each of node) visit(each, found);
    return;
  }
  const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } | null };
  if (regex !== undefined && regex !== null) found.add(`/${regex.pattern}/${regex.flags}`);
  for (const inner of Object.values(node)) visit(inner, found);
}
