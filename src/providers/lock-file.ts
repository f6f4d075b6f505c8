import { UsageError } from '../lib/errors.ts';

const TEXT = String.raw`"(?:[^"\\\n]|\\.)*"`;
const COMMENT = new RegExp(String.raw`(${TEXT})|#.*|//.*|/\*[\s\S]*?\*/`, 'g');
const SOURCE = String.raw`"([\p{L}\p{N}.-]+(?::\d+)?/[\p{L}\p{N}_-]+/[\p{L}\p{N}_-]+)"`;
const LIST = String.raw`\[(?:\s*${TEXT}\s*,)*(?:\s*${TEXT})?\s*\]`;
const PROVIDER = String.raw`\s*provider\s*${SOURCE}\s*\{(?:\s*[\w-]+\s*=\s*(?:${TEXT}|${LIST}))*\s*\}\s*`;

/**
 * Returns source addresses such as `registry.terraform.io/hashicorp/aws`. Throws UsageError for anything but blocks of providers
 * that hold texts and lists of texts, since a skipped provider would count as checked.
 */
export function parseLockFile(text: string, name: string): string[] {
  const code = text.replace(COMMENT, (all: string, quoted?: string) => quoted ?? all.replace(/[^\n]/g, ' '));
  const pattern = new RegExp(PROVIDER, 'uy');
  const sources: string[] = [];
  for (let at = 0; code.slice(at).trim() !== ''; at = pattern.lastIndex) {
    const [, source] = pattern.exec(code) ?? [];
    if (source === undefined) {
      const start = code.slice(at).search(/\S/) + at;
      throw new UsageError(`${name} is not a lock file: line ${code.slice(0, start).split('\n').length}`, {
        hint: 'It should be a .terraform.lock.hcl, as terraform init writes it.',
      });
    }
    sources.push(source);
  }
  return sources;
}
