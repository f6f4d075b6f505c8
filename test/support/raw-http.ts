import { connect } from 'node:net';

/** Writes the pieces and resolves with all that came back, once the server closes. The client never does. */
export function exchange(port: number, ...pieces: (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve) => {
    const answer: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => {
      for (const piece of pieces) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
    });
    const done = (): void => resolve(Buffer.concat(answer).toString('latin1'));
    socket.on('data', (chunk) => answer.push(chunk));
    socket.on('error', done);
    socket.on('close', done);
  });
}
