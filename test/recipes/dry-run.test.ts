import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkshop, type Workshop } from './workshop.ts';

/** A dry run of each kind of sink looks at what it would use, and leaves it as it was. */

interface Case {
  readonly sink: string;
  /** What lies there before, by path. */
  readonly files: Readonly<Record<string, string>>;
}

const SINKS: readonly Case[] = [
  { sink: 'file:target/audit-token', files: { 'target/audit-token': 'the-one-before' } },
  { sink: 'file:target/new', files: { 'target/other': '' } },
  { sink: 'env-file:target/siem.env#AUDIT_TOKEN', files: { 'target/siem.env': 'A=1\nAUDIT_TOKEN=before\n' } },
  { sink: 'exec:vault kv put -mount=secret audit token=-', files: {} },
  { sink: 'github-output:token', files: { 'target/github-output': 'before=1\n' } },
  { sink: 'stdout', files: {} },
];

/** Every file and folder: its kind and mode, when it was changed, and what is in it. */
function look(folder: string): readonly string[] {
  return ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].sort().map((name) => {
    const path = join(folder, name);
    const { mode, mtimeNs, ino } = statSync(path, { bigint: true });
    const content = statSync(path).isFile() ? readFileSync(path, 'base64') : '';
    return [name, mode.toString(8), mtimeNs, ino, content].join(' ');
  });
}

async function openWith({ files }: Case): Promise<Workshop> {
  const workshop = await openWorkshop();
  mkdirSync(join(workshop.folder, 'target'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workshop.folder, name), text);
  return workshop;
}

function rotate(workshop: Workshop, sink: string, options: string) {
  const line = `cd .. && orgctl audit-token rotate --expires 90d --to '${sink}' ${options}`;
  return workshop.run('sh', ['-c', line], {
    ...workshop.env,
    ORGCTL_ORG: 'acme',
    ORGCTL_TOKEN: workshop.owner,
    GITHUB_OUTPUT: join(workshop.folder, 'target', 'github-output'),
  });
}

test.each(SINKS)('to $sink leaves no trace', async (each) => {
  const workshop = await openWith(each);
  const [before, id] = [look(workshop.folder), await workshop.readTokenId()];
  const { code, stdout, stderr } = await rotate(workshop, each.sink, '--dry-run');
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(each.sink === 'stdout' ? /^$/ : /^acme\t.*\tfalse\t\treplace acme's .*\n$/);
  expect(stderr).toMatch(/^Would replace acme's audit trail token [\s\S]*^Nothing was sent\.$/m);
  expect(look(workshop.folder)).toEqual(before);
  expect([workshop.countPosts(), await workshop.readTokenId()]).toEqual([0, id]);

  // The same line without it works, and would have been seen.
  expect((await rotate(workshop, each.sink, '')).code).toBe(0);
  expect(look(workshop.folder)).not.toEqual(before);
});

test.each([
  { sink: 'file:missing/audit-token', why: "doesn't exist" },
  { sink: 'env-file:target#KEY', why: 'is a folder' },
  { sink: 'exec:no-such-program', why: 'no-such-program' },
  { sink: 'github-output:token', why: "can't write to" },
])('to $sink, which would fail, it says so and leaves no trace', async ({ sink, why }) => {
  const workshop = await openWith({ sink, files: {} });
  const before = look(workshop.folder);
  const { code, stdout, stderr } = await rotate(workshop, sink, '--dry-run');
  expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(why);
  expect(look(workshop.folder)).toEqual(before);
});
