import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/old/errors.ts';
import { findCommand } from '../../../src/old/subprocess/find-command.ts';
import { createFolder, failure } from '../../support/files.ts';

function addProgram(path: string, mode = 0o755): string {
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, mode);
  return path;
}

const find = (command: string, env: Record<string, string>, cwd = '/', platform: NodeJS.Platform = 'linux') =>
  findCommand(command, `exec:${command}`, { env, platform, cwd });

describe.skipIf(process.platform === 'win32')('a command', () => {
  it('is the first program of its name in PATH that can be run', async () => {
    const folder = createFolder();
    for (const name of ['a', 'b', 'c', 'd']) mkdirSync(join(folder, name));
    mkdirSync(join(folder, 'a', 'tool'));
    addProgram(join(folder, 'b', 'tool'), 0o644);
    const tool = addProgram(join(folder, 'c', 'tool'));
    addProgram(join(folder, 'd', 'tool'));
    expect(await find('tool', { PATH: `/none:${folder}/a:${folder}/b:${folder}/c:${folder}/d` })).toBe(tool);
    expect(await find('tool', { PATH: 'a:b:c' }, folder)).toBe(tool);
  });

  it('with a slash is a path from the folder the command runs in', async () => {
    const folder = createFolder();
    const tool = addProgram(join(folder, 'tool'));
    symlinkSync('tool', join(folder, 'link'));
    expect(await find('./tool', {}, folder)).toBe(tool);
    expect(await find(tool, {})).toBe(tool);
    expect(await find('./link', {}, folder)).toBe(join(folder, 'link'));
  });

  it.each<Record<string, string>>([{}, { PATH: '' }, { PATH: ':' }, { PATH: '/none' }])(
    'is not taken from the present folder, nor found elsewhere: %j',
    async (env) => {
      const folder = createFolder();
      addProgram(join(folder, 'tool'));
      const error = await failure(find('tool', env, folder));
      expect(error).toBeInstanceOf(UsageError);
      expect(error).toMatchObject({
        message: 'exec:tool: no command tool in PATH',
        hint: 'Install it, or give its whole path.',
      });
    },
  );

  it('that cannot be run is refused', async () => {
    const folder = createFolder();
    addProgram(join(folder, 'text'), 0o644);
    for (const command of ['./text', './none', folder]) {
      const error = await failure(find(command, {}, folder));
      expect(error).toBeInstanceOf(UsageError);
      expect(error).toMatchObject({ message: `exec:${command}: ${command} can't be run` });
    }
  });

  it.each(['#!/no/such', '#! /no/such -x', '#!/bin/sh\r', '#!/usr/bin/env no-such', '#!/usr/bin/env -S no-such --x'])(
    'that names a program which is not there in its first line is refused: %j',
    async (line) => {
      const folder = createFolder();
      writeFileSync(addProgram(join(folder, 'tool')), `${line}\necho\n`);
      const error = await failure(find('./tool', { PATH: '/bin:/usr/bin' }, folder));
      expect(error).toBeInstanceOf(UsageError);
      expect(error).toMatchObject({
        message: expect.stringMatching(/^exec:\.\/tool: .*\/tool needs .*, which doesn't exist$/),
      });
    },
  );

  it.each(['#!/bin/sh -e', '#!/usr/bin/env sh', '#!/usr/bin/env -S A=1 sh', '#!/usr/bin/env -i sh', 'echo', '#!', ''])(
    'is found whatever else its first line is: %j',
    async (line) => {
      const folder = createFolder();
      writeFileSync(addProgram(join(folder, 'tool')), `${line}\n`);
      expect(await find('./tool', { PATH: '/bin:/usr/bin' }, folder)).toBe(join(folder, 'tool'));
    },
  );

  it('has an ending on Windows, and is no batch file', async () => {
    const folder = createFolder();
    for (const name of ['tool', 'tool.exe', 'batch.cmd']) addProgram(join(folder, name));
    const env = { PATH: `/none;${folder}`, PATHEXT: '.COM;.EXE;.CMD' };
    expect(await find('tool', env, '/', 'win32')).toBe(join(folder, 'tool.exe'));
    expect(await find('tool.exe', env, '/', 'win32')).toBe(join(folder, 'tool.exe'));
    expect(await failure(find('batch', env, '/', 'win32'))).toMatchObject({
      exit: 'usage',
      hint: 'Use the shell: cmd /d /c batch …',
    });
  });
});
