import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CallerKind } from '../../src/sandbox/callers.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { createFolder } from './files.ts';
import { createNames } from './names.ts';
import { isUpdating, rewriteTemplate } from './rewrite.ts';
import type { RunOptions } from './run.ts';
import { formatRequests, type ServiceOptions, startService, type TestService } from './service.ts';

interface TranscriptOptions extends RunOptions {
  stdin?: string;
  /** What to start, or what was started. */
  service?: (Partial<SandboxOptions> & ServiceOptions) | TestService;
  /** Requests that only read are compared as well. */
  reads?: boolean;
  /** What is in the folder, by name. */
  files?: Record<string, string>;
}

/**
 * Stands in front of a template. Runs each line behind `$ ` against one service and in one folder, HOME in what is
 * printed, and compares all that comes of it with what stands below the line: stdout as it is, stderr behind `! `, the
 * requests that would change something behind `> `, and after `= ` the exit code, if it is not 0, with a word where not
 * even a reading was sent. Ids have names. Words are separated by blanks outside quotation marks; `AS=member` in front
 * says who calls, and other such words are of the environment. `< name` and `> name` at the end of a line are files of
 * the folder, for stdin and stdout, and `2>/dev/null` leaves stderr out.
 */
export function transcript(options: TranscriptOptions = {}) {
  return async (texts: TemplateStringsArray, ...values: (string | number)[]): Promise<void> => {
    const expected = withoutIndent(String.raw({ raw: texts }, ...values));
    const seen = await runLines(expected, options);
    const isSame = seen.join('\n') === expected.join('\n');
    if (!isSame && isUpdating()) rewriteTemplate(texts, values.map(String), expected, seen);
    else expect(seen.join('\n')).toBe(expected.join('\n'));
  };
}

async function runLines(lines: string[], options: TranscriptOptions): Promise<string[]> {
  const { service: given = {}, stdin, reads = false, files = {}, ...runOptions } = options;
  const service = 'requests' in given ? given : await startService(given);
  const home = runOptions.home ?? createFolder();
  const { plain, real } = await createNames(service.sandbox, [[home, 'HOME']]);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(home, name), real(content));
  const seen: string[] = [];
  for (const line of lines.filter((one) => one.startsWith('$ '))) {
    seen.push(line);
    const before = service.requests.length;
    const { as, env, argv, from, to, silent } = readLine(real(line.slice(2)));
    const input = from === undefined ? stdin : readFileSync(join(home, from), 'utf8');
    const { code, stdout, stderr } = await service.run(argv, {
      ...(as === undefined ? {} : { as }),
      home,
      // Each line draws other numbers than the one before.
      seed: String(seen.length),
      ...runOptions,
      env: { ...runOptions.env, ...env },
      ...(input === undefined ? {} : { stdin: real(input) }),
    });
    if (to !== undefined) writeFileSync(join(home, to), stdout);
    const requests = formatRequests(service.requests.slice(before), { plain });
    seen.push(
      ...(to === undefined ? splitLines(plain(stdout)) : []),
      ...(silent ? [] : splitLines(plain(stderr)).map((one) => `! ${one}`)),
      ...requests.filter((request) => reads || !request.startsWith('GET ')).map((request) => `> ${request}`),
      ...(code === 0 ? [] : [`= ${code}${requests.length === 0 ? ', nothing sent' : ''}`]),
    );
  }
  return seen;
}

interface Line {
  as?: CallerKind;
  env: Record<string, string>;
  argv: string[];
  from?: string;
  to?: string;
  silent: boolean;
}

function readLine(line: string): Line {
  const [, front = '', command = '', from, to, silent] =
    /^((?:[A-Za-z_]+=\S* )*)(.*?)(?: < (\S+))?(?: > (\S+))?( 2>\/dev\/null)?$/.exec(line) ?? [];
  const settings = front.split(' ').flatMap((word) => (word === '' ? [] : [word.split(/=(.*)/)]));
  const { AS, ...env } = Object.fromEntries(settings.map(([name, value = '']) => [name, value]));
  const words = command.match(/(?:'[^']*'|[^' ])+/g) ?? [];
  return {
    ...(AS === undefined ? {} : { as: AS as CallerKind }),
    env,
    argv: words.map((word) => word.replaceAll("'", '')),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    silent: silent !== undefined,
  };
}

function splitLines(text: string): string[] {
  if (text === '') return [];
  return text.endsWith('\n') ? text.slice(0, -1).split('\n') : `${text} (no newline)`.split('\n');
}

function withoutIndent(text: string): string[] {
  const lines = text.split('\n').slice(1, -1);
  const [indent = ''] = /^ */.exec(lines[0] ?? '') ?? [];
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
}
