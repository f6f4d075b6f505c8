// A line of so many megabits a second before a service of this machine, shared by all connections:
// `node line.mjs <port> <megabits> <file>`. Says its port as the first line, and keeps the bytes it carried in the file.

import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const [port, megabits] = process.argv.slice(2, 4).map(Number);
const file = process.argv[4];
const bytesPerMillisecond = (megabits * 1e6) / 8 / 1_000;
let carried = 0;
// When the line has carried all that was given to it.
let free = 0;

createServer((client) => {
  const service = connect(port, '127.0.0.1');
  client.setNoDelay(true);
  client.pipe(service);
  service.on('data', async (chunk) => {
    free = Math.max(free, performance.now()) + chunk.length / bytesPerMillisecond;
    service.pause();
    // Timers are no finer than this; what was not waited for now adds up to the next time.
    if (free - performance.now() > 1) await sleep(free - performance.now());
    carried += chunk.length;
    writeFileSync(file, String(carried));
    client.write(chunk);
    service.resume();
  });
  for (const [socket, other] of [
    [client, service],
    [service, client],
  ]) {
    socket.on('error', () => undefined);
    socket.on('close', () => other.destroy());
  }
}).listen(0, '127.0.0.1', function () {
  process.stdout.write(`${this.address().port}\n`);
});
