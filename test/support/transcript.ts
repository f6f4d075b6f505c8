import { expect } from 'vitest';
import type { CallerKind, SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { toRequestLines } from './demo.ts';
import { createNames } from './names.ts';
import type { RunOptions } from './run.ts';
import { type ServiceOptions, startService } from './service.ts';

interface TranscriptOptions extends RunOptions {
  readonly service?: Partial<SandboxOptions> & ServiceOptions;
  /** Requests that only read are compared as well. */
  readonly reads?: boolean;
}

/**
 * Runs each line behind `$ ` against one service, and compares all that comes of it with what stands below the line:
 * stdout as it is, stderr behind `! `, the requests that would change something behind `> `, and after `= ` the exit code,
 * if it is not 0, with a word where not even a reading was sent. Ids have names. Words are separated by blanks; '' is an empty one, and `AS=member` in front says who calls.
 */
export async function expectTranscript(text: string, options: TranscriptOptions = {}): Promise<void> {
  const { service: serviceOptions = {}, stdin, reads = false, ...runOptions } = options;
  const service = await startService(serviceOptions);
  const { plain, real } = await createNames(service.sandbox);
  const expected = withoutIndent(text);
  const seen: string[] = [];
  for (const line of expected.filter((one) => one.startsWith('$ '))) {
    const before = service.requests.length;
    const [, as, command = ''] = /^\$ (?:AS=(\S+) )?(.*)$/.exec(line) ?? [];
    const argv = real(command).split(' ');
    const { code, stdout, stderr } = await service.run(
      argv.map((word) => (word === "''" ? '' : word)),
      {
        ...(as === undefined ? {} : { as: as as CallerKind }),
        ...runOptions,
        ...(stdin === undefined ? {} : { stdin: real(stdin) }),
      },
    );
    const requests = toRequestLines(service.requests.slice(before), { plain });
    seen.push(
      line,
      ...toLines(plain(stdout)),
      ...toLines(plain(stderr)).map((one) => `! ${one}`),
      ...requests.filter((request) => reads || !request.startsWith('GET ')).map((request) => `> ${request}`),
      ...(code === 0 ? [] : [`= ${code}${requests.length === 0 ? ', nothing sent' : ''}`]),
    );
  }
  expect(seen.join('\n')).toBe(expected.join('\n'));
}

function toLines(text: string): readonly string[] {
  if (text === '') return [];
  return text.endsWith('\n') ? text.slice(0, -1).split('\n') : `${text} (no newline)`.split('\n');
}

function withoutIndent(text: string): readonly string[] {
  const lines = text.split('\n').slice(1, -1);
  const [indent = ''] = /^ */.exec(lines[0] ?? '') ?? [];
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
}
