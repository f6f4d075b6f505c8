import type { CallerKind } from '../../sandbox/sandbox.ts';
import { UsageError } from '../errors.ts';
import type { GivenOptions } from '../input/next-command.ts';
import type { SettingOptions } from '../settings/resolve-settings.ts';
import { BARE_VALUES } from '../stdout/columns.ts';
import { FORMATS, type FormatName } from '../stdout/formats/index.ts';

export interface GlobalOptions extends SettingOptions, GivenOptions {
  readonly as?: CallerKind;
  readonly output?: FormatName;
  readonly fields?: string;
  readonly query?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** Throws UsageError for options that exclude each other. */
export function checkOptions(options: GlobalOptions): void {
  const { sandbox, as, baseUrl, host, profile, org, orgs, allOrgs, output, query } = options;
  const [place, otherPlace] = Object.entries({ '--org': org, '--orgs': orgs, '--all-orgs': allOrgs }).flatMap(
    ([name, given]) => (given === undefined ? [] : [name]),
  );
  if (otherPlace !== undefined) {
    throw new UsageError(`use ${place} or ${otherPlace}, not both`, {
      hint: '--org names one organization, --orgs several, and --all-orgs takes all that your token reaches.',
    });
  }
  const [other] = Object.entries({ '--base-url': baseUrl, '--host': host, '--profile': profile }).flatMap(
    ([name, given]) => (given === undefined ? [] : [name]),
  );
  if (sandbox === true && other !== undefined) {
    throw new UsageError(`use --sandbox or ${other}, not both`, { hint: 'The sandbox is a service of its own.' });
  }
  if (as !== undefined && sandbox !== true) {
    throw new UsageError('--as works only with --sandbox', { hint: 'Elsewhere your token decides who you are.' });
  }
  if (query !== undefined && output !== undefined && !FORMATS[output].takesQuery) {
    throw new UsageError(`--query doesn't work with ${output}`, {
      hint: `Leave -o out, or use json or ndjson. ${BARE_VALUES}`,
    });
  }
}

/** With the format that `--query` means where none is named. */
export function withFormat<Options extends Pick<GlobalOptions, 'query' | 'output'>>(options: Options): Options {
  return options.query === undefined || options.output !== undefined ? options : { ...options, output: 'json' };
}

/** Throws UsageError for an empty name. */
export function parseFields(text: string): readonly string[] {
  const fields = text.split(',').map((field) => field.trim());
  if (fields.some((field) => field === '')) {
    throw new UsageError('--fields has an empty name', { hint: 'Separate names with single commas: id,email.' });
  }
  return [...new Set(fields)];
}
