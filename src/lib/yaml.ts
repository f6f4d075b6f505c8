import { parse } from 'yaml';
import { formatReason, UsageError } from './errors.ts';

/** Aliases could make a small file endless. */
const MAX_ALIASES = 100;

/** `hint` is for text that is not YAML. Throws UsageError. */
export function parseYaml(text: string, name: string, hint: string): unknown {
  try {
    return parse(text, { maxAliasCount: MAX_ALIASES, merge: true, logLevel: 'error' });
  } catch (error) {
    const [first = ''] = formatReason(error).split(/:?\n/, 1);
    const why = /call stack/.test(first) ? 'it is nested too deeply' : first;
    throw new UsageError(`${name} is not valid YAML: ${why}`, { hint, cause: error });
  }
}
