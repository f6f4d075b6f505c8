import type { Front, Passing, Reply } from './front.ts';

/** What can go wrong with one request on its way there and back. */
export type Fault = (passing: Passing, front: Front) => void | Promise<void>;

const MEBIBYTE = 1024 * 1024;
const JSON_API = { 'content-type': 'application/vnd.api+json' };

/** The service's own answer. */
export const pass: Fault = async (passing) => passing.send(await passing.act());

export const resetBefore: Fault = ({ outgoing }) => {
  outgoing.socket?.resetAndDestroy();
};

export const resetAfter: Fault = async (passing, front) => {
  await passing.act();
  await resetBefore(passing, front);
};

export const silenceBefore: Fault = () => undefined;

export const silenceAfter: Fault = async (passing) => {
  await passing.act();
};

/** The service acts, and an unexpected answer comes before its own. */
export const continueUnasked: Fault = async (passing, front) => {
  passing.outgoing.writeContinue();
  await pass(passing, front);
};

/** This status instead of an answer; the request does not reach the service. */
export function refuse(status: number, headers: Record<string, string> = {}): Fault {
  const body = JSON.stringify({ errors: [{ status: String(status), title: 'scripted' }] });
  return ({ send }) => send({ status, headers: { ...JSON_API, ...headers }, body });
}

/** The service acts, and something else answers in its place. */
export function replaceAnswer(reply: Reply): Fault {
  return async (passing) => {
    await passing.act();
    passing.send(reply);
  };
}

export const htmlOf502: Fault = ({ send }) =>
  send({
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: '<html><head><title>502 Bad Gateway</title></head></html>',
  });

/** The service acts, and its answer is cut off in the middle. */
export const truncate: Fault = async (passing) => {
  const { status, headers, body } = await passing.act();
  const { outgoing } = passing;
  const text = body === '' ? '{"data":null}' : body;
  outgoing.writeHead(status === 204 ? 200 : status, { ...headers, 'content-length': String(text.length) });
  outgoing.write(text.slice(0, text.length / 2), () => outgoing.destroy());
};

/** The service acts, and its answer never ends: pieces of a mebibyte until the caller goes away. */
export const oversize: Fault = async (passing) => {
  await passing.act();
  const { outgoing } = passing;
  const piece = Buffer.alloc(MEBIBYTE, ' ');
  outgoing.writeHead(200, JSON_API);
  const pour = (): void => {
    while (!outgoing.destroyed && outgoing.write(piece));
  };
  outgoing.on('drain', pour);
  pour();
};

export function redirectTo(origin: string): Fault {
  return ({ target, send }) => send({ status: 307, headers: { location: `${origin}${target}` }, body: '' });
}

/** For the first requests; later ones reach the service. */
export function times(count: number, fault: Fault): Fault {
  let left = count;
  return (passing, front) => {
    left -= 1;
    return (left >= 0 ? fault : pass)(passing, front);
  };
}
