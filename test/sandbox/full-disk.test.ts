import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { serveSandbox } from '../../src/sandbox/server.ts';
import { run } from '../support/run.ts';
import { openDatabase } from '../support/sqlite.ts';
import { ask, createInvitation, type Json, MEMBERSHIPS, openTestSandbox, teamId } from './harness.ts';

/** Runs a line of shell. True when it succeeds. */
const shell = (line: string, ...words: string[]): boolean => spawnSync('sh', ['-c', line, 'sh', ...words]).status === 0;

/** Undefined where no small disk can be mounted, which takes root on Linux. */
function mountDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-disk-'));
  const isMounted = process.platform === 'linux' && shell('mount -t tmpfs -o size=4m tmpfs "$1"', folder);
  if (isMounted) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

function unmountDisk(folder: string): void {
  shell('umount -l "$1"', folder);
  rmSync(folder, { recursive: true });
}

const canMount = (() => {
  const disk = mountDisk();
  if (disk !== undefined) unmountDisk(disk);
  return disk !== undefined;
})();

function createDisk(): string {
  const disk = mountDisk();
  if (disk === undefined) throw new Error('a disk that could be mounted before cannot be now');
  onTestFinished(() => unmountDisk(disk));
  return disk;
}

function fill(disk: string): void {
  const file = openSync(join(disk, 'filler'), 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(1_024, 'x'));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(file);
  }
}

const empty = (disk: string): void => rmSync(join(disk, 'filler'));

const DETAIL = 'The sandbox cannot store its state: database or disk is full';
const FULL = { errors: [{ status: '507', title: 'insufficient storage', detail: DETAIL }] };
const UNUSABLE = /^orgctl: the sandbox state \S+ cannot be used\n {2}.+\n {2}→ /;

function checkIntegrity(state: string): unknown {
  const database = openDatabase(state);
  try {
    return database.prepare('PRAGMA integrity_check').all([]);
  } finally {
    database.close();
  }
}

describe.skipIf(!canMount)('a disk that is full (needs root and Linux)', () => {
  test('a write that does not fit is refused as a whole; reading goes on, and writing once there is room', async () => {
    const disk = createDisk();
    const state = join(disk, 'state.db');
    const sandbox = openTestSandbox({ state });
    const server = await serveSandbox(sandbox, { port: 0, listen: '127.0.0.1' });
    onTestFinished(async () => {
      await server.close();
      sandbox.close();
    });
    const team = await teamId(sandbox, 'platform');
    const invite = async (email: string) => {
      const response = await fetch(`${server.url}${MEMBERSHIPS}`, {
        method: 'POST',
        headers: { authorization: 'Bearer sandbox.owner', 'content-type': 'application/vnd.api+json' },
        body: JSON.stringify(createInvitation(email, team)),
      });
      return [response.status, (await response.json()) as Json] as const;
    };
    fill(disk);
    const kept: string[] = [];
    let refusal: Json;
    for (let count = 0; refusal === undefined; count += 1) {
      const email = `p${count}@example.com`;
      const [status, body] = await invite(email);
      if (status === 201) kept.push(email);
      else refusal = { status, body };
    }
    expect(refusal).toEqual({ status: 507, body: FULL });
    expect(await invite('once-more@example.com')).toEqual([507, FULL]);
    expect((await fetch(`${server.url}/ping`)).status).toBe(204);
    const listInvited = async (): Promise<string[]> => {
      const path = `${MEMBERSHIPS}?filter%5Bstatus%5D=invited&page%5Bsize%5D=100`;
      const { status, body } = await ask(sandbox, 'GET', path);
      expect(status).toBe(200);
      return body.data.map((member: Json) => member.attributes.email);
    };
    expect(await listInvited()).toEqual(expect.arrayContaining(kept));
    expect(await listInvited()).toHaveLength(1 + kept.length);
    expect(() => sandbox.accept('ivan.invitee@example.com')).toThrow(UsageError);
    expect(() => sandbox.reset()).toThrow(UsageError);
    empty(disk);
    expect((await invite('later@example.com'))[0]).toBe(201);
    expect(sandbox.accept('ivan.invitee@example.com')).toHaveLength(1);
    expect(await listInvited()).toHaveLength(kept.length + 1);
    expect(checkIntegrity(state)).toEqual([{ integrity_check: 'ok' }]);
  });

  test('commands report the reason', async () => {
    const disk = createDisk();
    const state = join(disk, 'state.db');
    const orgctl = (line: string) => run([...line.split(' '), '--state', state]);
    fill(disk);
    const refusal = { code: 2, stdout: '', stderr: expect.stringMatching(UNUSABLE) };
    expect(await orgctl('sandbox info')).toEqual(refusal);
    empty(disk);
    expect(await orgctl('sandbox info')).toMatchObject({ code: 0 });
    fill(disk);
    const reset = await orgctl('sandbox reset --seed members=20000 --yes');
    expect([reset.code, reset.stderr]).toEqual([2, expect.stringMatching(UNUSABLE)]);
    empty(disk);
    expect((await orgctl('sandbox info')).stderr).toContain('(demo data)');
    expect(checkIntegrity(state)).toEqual([{ integrity_check: 'ok' }]);
  });
});
