import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { openDatabase } from '../../src/lib/sqlite.ts';
import { CAN_MOUNT, createDisk, fillDisk } from '../support/mounts.ts';
import { createInvitation, type Json, MEMBERSHIPS, openTestSandbox } from './harness.ts';

const DETAIL = 'The sandbox cannot store its state: database or disk is full';
const FULL = { errors: [{ status: '507', title: 'insufficient storage', detail: DETAIL }] };

test.runIf(CAN_MOUNT)(
  'on a full disk a write is refused as a whole; reading goes on, and writing once there is room',
  async () => {
    const disk = createDisk('4m');
    const state = join(disk, 'state.db');
    const sandbox = openTestSandbox({ state });
    const team = await sandbox.teamId('platform');
    const invite = async (email: string): Promise<Json> => {
      const { status, body } = await sandbox.ask('POST', MEMBERSHIPS, { body: createInvitation(email, team) });
      return [status, status === 507 && body];
    };
    fillDisk(disk);
    const answers = [];
    while (answers.at(-1)?.[0] !== 507) answers.push(await invite(`p${answers.length}@example.com`));
    expect(answers.at(-1)).toEqual([507, FULL]);
    expect(await invite('once-more@example.com')).toEqual([507, FULL]);
    const countInvited = async (): Promise<number> =>
      (await sandbox.ask('GET', MEMBERSHIPS)).body.meta['status-counts'].invited;
    // The demo has one invitation, and the last of these was refused.
    expect(await countInvited()).toBe(answers.length);
    expect(() => sandbox.accept('ivan.invitee@example.com')).toThrow(UsageError);
    expect(() => sandbox.reset()).toThrow(UsageError);
    rmSync(join(disk, 'filler'));
    expect((await invite('later@example.com'))[0]).toBe(201);
    expect(sandbox.accept('ivan.invitee@example.com')).toHaveLength(1);
    expect(await countInvited()).toBe(answers.length);
    sandbox.close();
    const database = openDatabase(state, 5_000);
    expect(database.prepare('PRAGMA integrity_check').all([])).toEqual([{ integrity_check: 'ok' }]);
    database.close();
  },
);
