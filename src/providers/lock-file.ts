import { UsageError } from '../lib/errors.ts';

const PROVIDER = /^provider\s+"([^"/]+\/[^"/]+\/[^"/]+)"\s*\{/;
/** A line within a block, the end of a block, a comment, an empty line. */
const OTHER = /^(\s|\}|#|\/\/|$)/;

/**
 * Returns source addresses such as `registry.terraform.io/hashicorp/aws`. Throws UsageError for any line that `terraform init`
 * does not write, since a skipped provider would count as checked.
 */
export function parseLockFile(text: string, name: string): string[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap((line, index) => {
      const [, source] = PROVIDER.exec(line) ?? [];
      if (source !== undefined) return [source];
      if (OTHER.test(line)) return [];
      throw new UsageError(`${name} is not a lock file: line ${index + 1}`, {
        hint: 'It should be a .terraform.lock.hcl, as terraform init writes it.',
      });
    });
}
