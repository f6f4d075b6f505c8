import { UsageError } from '../lib/errors.ts';

const PROVIDER = /^provider\s+"([^"/]+\/[^"/]+\/[^"/]+)"\s*\{/;
/** Within a block, its end, a comment or nothing. */
const OTHER = /^(\s|\}|#|\/\/|$)/;

/**
 * The source addresses in a lock file as `terraform init` writes it, such as `registry.terraform.io/hashicorp/aws`. Throws
 * UsageError for any other text: a provider that is overlooked would count as checked.
 */
export function parseLockFile(text: string, name: string): string[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap((line, at) => {
      const [, source] = PROVIDER.exec(line) ?? [];
      if (source !== undefined) return [source];
      if (OTHER.test(line)) return [];
      throw new UsageError(`${name} is no lock file: line ${at + 1}`, {
        hint: 'It should be a .terraform.lock.hcl, as terraform init writes it.',
      });
    });
}
