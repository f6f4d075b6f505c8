import type { Settings } from '../config/resolve.ts';
import { UsageError } from '../lib/errors.ts';
import { quoteWord } from '../lib/text.ts';
import { FORMATS, type Format } from '../output/formats.ts';
import { createMessages } from '../output/messages.ts';
import { Output } from '../output/output.ts';
import type { GlobalOptions, SessionContext } from './global-options.ts';
import { collectList } from './options.ts';
import { createPrompts } from './prompts.ts';
import { createSpinner } from './spinner.ts';

export type Terminal = ReturnType<typeof createTerminal>;

export function createTerminal(context: SessionContext) {
  const { runtime, settings, options, redactor, signal } = context;
  const { stdout, stderr, env } = runtime;
  const format = options.query !== undefined && options.output === undefined ? 'json' : settings.output.value;
  const { isJson = false }: Partial<Format> = format ? FORMATS[format] : {};
  if (options.query !== undefined && !isJson) {
    throw new UsageError(`--query can't be used with -o ${format}`, { hint: 'Use -o json or ndjson.' });
  }
  const isAccessible = settings.accessible.value;
  const isQuiet = settings.quiet.value;
  const spinner = createSpinner(runtime, redactor, isQuiet || isAccessible);
  const messages = createMessages({
    runtime,
    redactor,
    isJson: isJson && stderr.isTTY !== true,
    isQuiet,
    isAccessible,
    hasColor: hasColor(settings, stderr.isTTY, env.TERM),
    suggested: listSuggestedOptions(options),
    beforeWrite: () => spinner.hide(),
  });
  const output = new Output({
    runtime,
    format,
    fields: options.fields === undefined ? undefined : [...new Set(collectList(options.fields, '--fields'))],
    query: options.query,
    countBy: options.countBy,
    isWhole: options.include !== undefined,
    isAccessible,
    hasColor: hasColor(settings, stdout.isTTY, env.TERM),
    signal,
    messages,
    redactor,
    beforeWrite: () => spinner.end(),
  });
  return { output, messages, prompts: createPrompts(context, spinner), spinner };
}

function hasColor({ 'no-color': noColor, accessible }: Settings, isTerminal = false, terminal = ''): boolean {
  if (noColor.value) return false;
  return noColor.source === 'FORCE_COLOR' || (isTerminal && terminal !== 'dumb' && !accessible.value);
}

function listSuggestedOptions({ sandbox, profile, org }: GlobalOptions): string[] {
  return [
    sandbox && '--sandbox',
    profile !== undefined && `--profile ${quoteWord(profile)}`,
    org !== undefined && `--org ${quoteWord(org)}`,
  ].filter((option) => typeof option === 'string');
}
