import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/old/exit-codes.ts';
import { FORMAT_NAMES } from '../../src/old/stdout/formats/index.ts';
import { readBlocks, readDocument } from '../support/documents.ts';
import { serve } from '../support/served.ts';
import { createPlace, orgctl, start } from '../support/shipped.ts';

const place = createPlace(afterAll);

test('help exit-codes lists exactly the exit codes', async () => {
  const { stdout } = await orgctl(['help', 'exit-codes'], place);
  const listed = [...stdout.matchAll(/^\| (\d+) \| (\S+) \| (.*) \|$/gm)].map(([, number, name, when]) => [
    name,
    { code: Number(number), when },
  ]);
  expect(listed).toEqual(Object.entries(EXIT_CODES));
});

test('help output explains every format', () => {
  const [, table = ''] = /^\| \| \|\n([\s\S]*?)\n\n/m.exec(readDocument('src/old/manual/output.md')) ?? [];
  expect([...table.matchAll(/^\| (\w+) \|/gm)].map(([, name]) => name)).toEqual(FORMAT_NAMES);
});

/** Those of rotations are run beside the recipes, with stand-ins for other programs. */
const blocks = ['jobs', 'files', 'environment', 'sandbox', 'agents']
  .flatMap((topic) => readBlocks(`src/old/manual/${topic}.md`).map((block) => ({ topic, ...block })))
  .filter(({ language, heading }) => language === 'sh' && heading !== 'Test a rotation job');

test('the topics have lines to try', () => {
  expect(blocks.filter(({ topic }) => topic === 'jobs')).toHaveLength(13);
  expect(blocks.filter(({ topic }) => topic === 'agents')).toHaveLength(5);
  const others = blocks.filter(({ topic }) => !['jobs', 'agents'].includes(topic));
  expect(others.map(({ topic, heading }) => `${topic}: ${heading}`)).toEqual([
    'files: Lists',
    'files: Lists',
    'files: Joiners, movers and leavers',
    'files: Rosters',
    'files: Rosters',
    'files: Access reviews',
    'environment: The token',
    'environment: Profiles',
    'sandbox: Try commands',
    'sandbox: Try commands',
    'sandbox: Use it with other clients',
    'sandbox: Set a token policy',
  ]);
});

test.each(blocks)('$topic: the lines of "$heading" work as printed', async ({ topic, text }) => {
  const served = await serve();
  const folder = mkdtempSync(join(served.home, 'work-'));
  const [people = { text: '' }] = readBlocks('src/old/manual/files.md').filter(({ language }) => language === 'csv');
  writeFileSync(join(folder, 'people.csv'), people.text);
  writeFileSync(join(folder, 'leavers.csv'), 'email\nada.auditor@example.com\n');
  writeFileSync(join(folder, 'roster.yaml'), 'members:\n  - email: olive.owner@example.com\n');
  writeFileSync(join(folder, 'token'), `${served.tokenOf('owner')}\n`);
  copyFileSync(new URL('../fixtures/lock-files/listed.hcl', import.meta.url), join(folder, '.terraform.lock.hcl'));
  const line = `set -e\n${text.replace('--host tfe.example.com', `--base-url ${served.url}`)}`;
  const asOwner = ['files', 'jobs', 'agents'].includes(topic);
  const env = asOwner ? served.as('owner') : served.env;
  const ended = await start('bash', ['-c', line], { env, cwd: folder }).ended;
  expect(ended.code, ended.stderr).toBe(0);
});
