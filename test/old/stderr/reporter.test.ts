import { describe, expect, it } from 'vitest';
import { OrgctlError } from '../../../src/old/errors.ts';
import { createReporter } from '../../../src/old/stderr/reporter.ts';
import { openStderr } from '../../../src/old/stderr/stream.ts';
import { captureStream } from '../../support/streams.ts';

describe('a note for who looks at the results', () => {
  it.each([
    ['at a terminal', { columns: 80 }, {}, 'No teams found.\n'],
    ['at a terminal, in json', { columns: 80 }, { json: true }, 'No teams found.\n'],
    ['at a terminal, when quiet', { columns: 80 }, { quiet: true }, ''],
    ['off a terminal', {}, {}, ''],
  ])('%s', async (_name, terminal, options, text) => {
    const stderr = captureStream(terminal);
    await open(stderr, options).noteAtTerminal('No teams found.');
    expect(stderr.text()).toBe(text);
  });

  it('that cannot be written is no failure', async () => {
    const stderr = captureStream({ columns: 80 });
    stderr.destroy();
    await open(stderr).noteAtTerminal('No teams found.');
  });
});

it.each([
  [{}, 'orgctl: 2 of 2 failed\n  $ orgctl teams list\n  $ orgctl members list\n'],
  [{ json: true }, expect.stringContaining('"next":["orgctl teams list","orgctl members list"]')],
])('a command that several failures lead to is printed once: %j', (options, text) => {
  const stderr = captureStream({});
  const next = [
    ['orgctl', 'teams', 'list'],
    ['orgctl', 'members', 'list'],
    ['orgctl', 'teams', 'list'],
  ];
  open(stderr, options).error(new OrgctlError('incomplete', '2 of 2 failed', { next }));
  expect(stderr.text()).toEqual(text);
});

it.each([
  ['owners.', '  acme exists, and your token can read it.\n  Who can: owners.\n'],
  [
    'owners, the owners team token, the organization token, people with Team Management.',
    '  acme exists, and your token can read it. Who can: owners, the owners team\n' +
      '  token, the organization token, people with Team Management.\n',
  ],
])('a list of those who can continues the paragraph before it where it has no room on a line: %s', (who, text) => {
  const stderr = captureStream({ columns: 80 });
  const reasons = ['acme exists, and your token can read it.', `Who can: ${who}`];
  open(stderr).error(new OrgctlError('forbidden', "you don't have permission", { reasons }));
  expect(stderr.text()).toBe(`orgctl: you don't have permission\n${text}`);
});

it('Help and its command stay on one line', () => {
  const stderr = captureStream({ columns: 80 });
  const hint = 'Usage: orgctl members show <member...> [options]   Help: orgctl members show --help';
  open(stderr).error(new OrgctlError('usage', 'missing <member>', { hint }));
  expect(stderr.text()).toBe(
    'orgctl: missing <member>\n  → Usage: orgctl members show <member...> [options]\n    Help: orgctl members show --help\n',
  );
});

function open(stderr: ReturnType<typeof captureStream>, options: { json?: boolean; quiet?: boolean } = {}) {
  const style = { json: false, quiet: false, debug: false, signs: true, colors: false, ...options };
  return createReporter({ stderr: openStderr({ stderr }), nextCommand: (words) => words.join(' '), ...style });
}
