import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { OrgctlError } from '../../../src/old/errors.ts';
import { ClosedPipe, createWriter } from '../../../src/old/text/write.ts';
import { captureStream } from '../../support/streams.ts';

function failingStream(code: string): Writable {
  return new Writable({
    write(_chunk, _encoding, callback) {
      callback(Object.assign(new Error(`${code}: it failed`), { code }));
    },
  });
}

const caught = (promise: Promise<void>) => promise.catch((error: unknown) => error);

describe('createWriter', () => {
  it('waits for the stream at every piece, so that no more than one is kept', async () => {
    const stream = captureStream({ highWaterMark: 1 });
    const writer = createWriter(stream);
    for (const text of ['first', 'second', 'third']) {
      await writer.write(text);
      expect(stream.writableLength).toBe(0);
    }
    expect(stream.pieces).toEqual(['first', 'second', 'third']);
  });

  it.each(['EPIPE', 'ECONNRESET', 'EOF'])('takes %s for a closed pipe, now and later', async (code) => {
    const writer = createWriter(failingStream(code));
    expect(await caught(writer.write('x'))).toBeInstanceOf(ClosedPipe);
    expect(await caught(writer.write('y'))).toBeInstanceOf(ClosedPipe);
  });

  it.each([
    ['ENOSPC', 'no space is left on the device'],
    ['EIO', 'the device reported an error'],
    ['EODD', 'EODD: it failed'],
  ])('says in words what %s means, now and later', async (code, why) => {
    const writer = createWriter(failingStream(code));
    for (const text of ['x', 'y']) {
      const error = await caught(writer.write(text));
      expect(error).toBeInstanceOf(OrgctlError);
      expect(error).toMatchObject({
        exit: 'failure',
        code: 'not-written',
        message: 'the result could not be written',
        reasons: [why],
        cause: { code },
      });
    }
  });

  it('rejects when the stream is already destroyed, or is while it writes', async () => {
    const destroyed = captureStream();
    destroyed.destroy();
    expect(await caught(createWriter(destroyed).write('x'))).toBeInstanceOf(ClosedPipe);

    const silent = new Writable({ write() {} });
    const result = caught(createWriter(silent).write('x'));
    silent.destroy();
    expect(await result).toBeInstanceOf(ClosedPipe);
  });

  it('leaves no listener behind for each piece', async () => {
    const stream = captureStream();
    const writer = createWriter(stream);
    const before = stream.listenerCount('close');
    for (let count = 0; count < 20; count += 1) await writer.write('x');
    expect(stream.listenerCount('close')).toBe(before);
    expect(stream.listenerCount('error')).toBe(1);
  });

  it('knows a real pipe whose reader is gone', async () => {
    const reader = spawn(process.execPath, ['-e', "process.stdin.once('data', () => process.exit())"], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const writer = createWriter(reader.stdin);
    const exited = once(reader, 'exit');
    let error: unknown;
    while (error === undefined) error = await caught(writer.write('x'.repeat(100_000)));
    expect(error).toBeInstanceOf(ClosedPipe);
    await exited;
    expect(await caught(writer.write('y'))).toBeInstanceOf(ClosedPipe);
  });
});
