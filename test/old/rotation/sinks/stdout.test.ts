import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/old/errors.ts';
import type { SinkSurroundings } from '../../../../src/old/rotation/sinks/sink.ts';
import { createStdoutSink } from '../../../../src/old/rotation/sinks/stdout.ts';
import { ClosedPipe, createWriter } from '../../../../src/old/text/write.ts';
import { failure } from '../../../support/files.ts';
import { captureStream } from '../../../support/streams.ts';
import { createSurroundings, SECRET } from './surroundings.ts';

const create = (overrides: Partial<SinkSurroundings> = {}) => {
  const surroundings = createSurroundings(overrides);
  return { sink: createStdoutSink('stdout', surroundings), surroundings };
};

describe('stdout', () => {
  it('takes the secret and one newline, and nothing before', async () => {
    const { sink, surroundings } = create();
    await sink.check();
    expect(await sink.temporaries('u')).toEqual([]);
    const prepared = await sink.prepare('u');
    expect(surroundings.stdout()).toBe('');
    await prepared.deliver(SECRET);
    await prepared.discard();
    expect(surroundings.stdout()).toBe(`${SECRET}\n`);
    expect(surroundings.stderr()).toBe('');
    expect(await sink.read()).toBeUndefined();
  });

  it('takes what is to be printed for a secret', async () => {
    const { sink, surroundings } = create({ toStdoutText: (token) => `${JSON.stringify({ token })}\n` });
    await (await sink.prepare('u')).deliver(SECRET);
    expect(JSON.parse(surroundings.stdout())).toEqual({ token: SECRET });
  });

  it('is refused where it goes nowhere', async () => {
    const { sink } = create({ isStdoutDiscarded: () => true });
    for (const act of [() => sink.check(), () => sink.prepare('u')]) {
      const error = await failure(act());
      expect(error).toBeInstanceOf(UsageError);
      expect(error).toMatchObject({
        message: 'stdout: stdout is closed or goes to the null device: the new token would be lost',
      });
    }
  });

  it('that is closed has not got the secret', async () => {
    const stream = captureStream();
    stream.destroy();
    const writer = createWriter(stream);
    const { sink } = create({ writeStdout: (text) => writer.write(text) });
    const error = await failure((await sink.prepare('u')).deliver(SECRET));
    expect(error).toMatchObject({
      exit: 'not-delivered',
      message: 'not delivered to stdout',
      reasons: ['the output was closed by its reader'],
      cause: expect.any(ClosedPipe),
    });
    expect(JSON.stringify(error)).not.toContain(SECRET);
  });
});
