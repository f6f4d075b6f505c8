import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findPointAfter } from '../campaign/kill.ts';
import { PROGRAM } from '../campaign/process.ts';
import { createHome, findOpenToOthers, type Home } from '../crash/home.ts';
import { findLost, killWhileInviting, type Served, serve } from '../crash/service.ts';
import { createWriters, killAt, record, storm, type Writer } from '../crash/writers.ts';
import { open, untilClosed } from '../support/raw-http.ts';
import { openDatabase } from '../support/sqlite.ts';

/** A small part of `npm run bench:crash`: some of the points, and few processes. */

const POSIX = process.platform !== 'win32';

let home: Home;
let served: Served;
let writers: readonly Writer[];

beforeAll(async () => {
  home = createHome();
  served = await serve(PROGRAM, home, ['--state', ':memory:']);
  writers = createWriters(served.url);
});

afterAll(async () => {
  await served.stop();
  home.remove();
});

function writer(name: string): Writer {
  const found = writers.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`there is no writer ${name}`);
  return found;
}

function createOwnHome(): Home {
  const own = createHome();
  onTestFinished(() => own.remove());
  return own;
}

const NAMES = ['settings', 'login', 'first-settings', 'sandbox', 'rotate', 'follow'];

describe.runIf(POSIX)('files of orgctl', () => {
  test('every writer is tried', () => {
    expect(writers.map(({ name }) => name)).toEqual(NAMES);
  });

  test.each(NAMES)("%s: each is its owner's alone from the first moment, whatever the umask", async (name) => {
    const { points, faults } = await record(PROGRAM, writer(name), '000');
    expect(faults).toEqual([]);
    expect(points).toBeGreaterThan(3);
  });

  test.each([
    ['settings', 'write', 'the old file'],
    ['settings', 'rename', 'the new file'],
    ['login', 'write', 'the new token'],
  ])('%s killed after its last %s leaves %s, whole; the next run goes on from there', async (name, operation) => {
    const { ended } = await record(PROGRAM, writer(name), '022');
    const at = findPointAfter(ended.operations, operation);
    expect(at).toBeGreaterThan(0);
    expect(await killAt(PROGRAM, writer(name), at)).toEqual([]);
  });

  test('writers at once, one of them killed: no reader meets half a file', async () => {
    expect(await storm(PROGRAM, { writers: 4, victim: 0, at: 9 })).toEqual([]);
  });
});

test.runIf(POSIX)('SIGTERM ends a server at once, whatever its clients are at', async () => {
  const own = createOwnHome();
  const { url, running } = await serve(PROGRAM, own, ['--state', ':memory:', '--fault', '* *: delay=3600s']);
  const port = Number(new URL(url).port);
  const texts = ['', 'GET /ping HTTP/1.1\r\nHost: ', 'GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n'];
  const sockets = await Promise.all(texts.map(() => open(port)));
  const closed = sockets.map((socket) => untilClosed(socket.resume()));
  sockets.forEach((socket, index) => void socket.write(texts[index] ?? ''));
  running.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 143 });
  await Promise.all(closed);
});

describe.runIf(POSIX)('a server that is killed', () => {
  test('keeps the invitations it told of, whole, and no half of another', async () => {
    const acknowledged = 12;
    const own = createOwnHome();
    const told = await killWhileInviting(PROGRAM, own, { acknowledged, clients: 4 });
    expect(findOpenToOthers(own.path)).toEqual([]);
    expect(checkIntegrity(own)).toEqual([{ integrity_check: 'ok' }]);
    expect(told.length).toBeGreaterThanOrEqual(acknowledged);
    expect(await findLost(PROGRAM, own, told)).toEqual([]);
  });
});

function checkIntegrity({ path }: Home): unknown {
  const database = openDatabase(join(path, '.local', 'state', 'orgctl', 'sandbox', 'state.sqlite'));
  onTestFinished(() => database.close());
  return database.prepare('PRAGMA integrity_check').all([]);
}
