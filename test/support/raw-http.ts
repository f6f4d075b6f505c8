import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Connections on which a test writes any bytes. */

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Writes the pieces and resolves with all that came back, once the server closes. The client never does. */
export function exchange(port: number, ...pieces: readonly (string | Uint8Array)[]): Promise<string> {
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

/** Resolves once connected, and rejects on failure. Later errors are ignored. */
export async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket.on('error', () => undefined);
}

/** A connection that is reset counts as closed. */
export async function untilClosed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

/** One after the other, each with as much body as its length says. */
export function toAnswers(text: string): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`no answer: ${JSON.stringify(rest)}`);
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(lines.map((header) => toPair(header)));
    const length = Number(headers['content-length'] ?? 0);
    answers.push({ status: Number(line.split(' ')[1]), headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

function toPair(header: string): readonly [string, string] {
  const at = header.indexOf(':');
  return [header.slice(0, at).toLowerCase(), header.slice(at + 1).trim()];
}
