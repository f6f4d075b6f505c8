import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { findTopic } from '../manual/documentation.ts';
import { joinNames } from '../text/join.ts';
import { type Param, type Params, toName } from './param.ts';

interface Named {
  name(): string;
  readonly parent: Named | null;
}

/** `orgctl members show` */
export function toPath(command: Named): string {
  return command.parent === null ? command.name() : `${toPath(command.parent)} ${command.name()}`;
}

/** How it is called: `orgctl members show <member> [options]` */
export function toCall(command: Command): string {
  return `${toPath(command)} ${command.usage()}`.trimEnd();
}

/** How it is called, and where its help is. */
export function toUsage(command: Command): string {
  return `Usage: ${toCall(command)}   Help: ${toPath(command)} --help`;
}

/** `<team> (<member...> | --file <path>) [options]`: what must be given stands there, all else is `[options]`. */
export function toTaken(args: Params, options: Params, sharesOptions: boolean): string {
  const all = { ...args, ...options };
  const entries = Object.entries(all);
  const stand = new Set(entries.flatMap(([, { need }]) => need?.or ?? []));
  const toText = ([key, { usage }]: [string, Param]): string =>
    [toBare(usage), ...entries.filter(([, { need }]) => need?.beside === key).map((each) => toText(each))].join(' ');
  const isShown = (key: string, { need, isHidden }: Param): boolean =>
    isHidden !== true && !stand.has(key) && need?.beside === undefined;
  const words = entries.flatMap(([key, param]) => {
    const { usage, summary, need } = param;
    if (!isShown(key, param)) return [];
    if (need !== undefined) {
      const one = [[key, param], ...(need.or ?? []).map((other) => [other, all[other]])] as [string, Param][];
      return one.length === 1 ? one.map(toText) : [`(${one.map(toText).join(' | ')})`];
    }
    // Arguments without a description are for programs.
    return key in args && summary !== '' ? [usage] : [];
  });
  const hasMore = Object.entries(options).some(([key, param]) => isShown(key, param) && param.need === undefined);
  return [...words, ...(hasMore || sharesOptions ? ['[options]'] : [])].join(' ');
}

/** `<member...>` of `[member...]`, `--search <text>` of `-s, --search <text>`. */
function toBare(usage: string): string {
  return usage.replace(/^\[(.*)\]$/, '<$1>').replace(/^-\w, /, '');
}

/** Throws UsageError for what a command can't do without. */
export function refuseMissing(command: Command, params: Params, values: Readonly<Record<string, unknown>>): void {
  const isGiven = (key: string): boolean => {
    const value = values[key];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  };
  const missing = Object.entries(params).filter(
    ([key, { need }]) =>
      need !== undefined &&
      ![key, ...(need.or ?? [])].some(isGiven) &&
      (need.beside === undefined || isGiven(need.beside)),
  );
  if (missing.length === 0) return;
  const names = missing.map(([, param]) => {
    const { is, or = [] } = param.need ?? {};
    const others = or.flatMap((other) => params[other]?.usage ?? []);
    return joinNames(
      [`${toName(param).replace(/^\[(\w+)(?:\W.*)?\]$/, '<$1>')}${is === undefined ? '' : ` (${is})`}`, ...others],
      'or',
    );
  });
  const examples = missing.flatMap(([, { need: { example = [] } = {} }]) =>
    typeof example === 'function' ? example(values) : example,
  );
  const [only] = missing.length === 1 ? missing : [];
  const { hint, next } = only?.[1].need ?? {};
  throw new UsageError(`missing ${joinNames(names)}`, {
    hint:
      hint ?? (examples.length > 0 ? `For example: ${examples.join(' ')}.${describeTopic(command)}` : toUsage(command)),
    ...(next === undefined ? {} : { next: [next] }),
  });
}

function describeTopic(command: Command): string {
  const topic = findTopic(command);
  return topic === undefined ? '' : ` More: ${topic}`;
}

export function findCommand(parent: Command, word: string): Command | undefined {
  return parent.commands.find((command) => command.name() === word || command.aliases().includes(word));
}
