// A line of so many megabits a second each way before a service of this machine, shared by all connections:
// `node line.mjs <port> <megabits> <file>`. Says its port as the first line, and keeps the bytes of answers that it carried
// in the file.

import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const [port, megabits] = process.argv.slice(2, 4).map(Number);
const file = process.argv[4];
const bytesPerMillisecond = (megabits * 1e6) / 8 / 1_000;
let carried = 0;
// When the line has carried all that was given to it, each way.
const requests = { free: 0 };
const answers = { free: 0 };

createServer((client) => {
  const service = connect(port, '127.0.0.1');
  client.setNoDelay(true);
  service.setNoDelay(true);
  carry(client, service, requests, () => undefined);
  carry(service, client, answers, (bytes) => {
    carried += bytes;
    writeFileSync(file, String(carried));
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

function carry(from, to, way, onCarried) {
  from.on('data', async (chunk) => {
    way.free = Math.max(way.free, performance.now()) + chunk.length / bytesPerMillisecond;
    from.pause();
    // Timers are no finer than this; what was not waited for now adds up to the next time.
    if (way.free - performance.now() > 1) await sleep(way.free - performance.now());
    onCarried(chunk.length);
    to.write(chunk);
    from.resume();
  });
  // Closed once all that was given to it is carried.
  from.on('end', () => to.end());
}
