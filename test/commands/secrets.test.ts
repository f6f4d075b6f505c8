import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SignalName } from '../../src/old/host.ts';
import { FORMAT_NAMES, FORMATS, type FormatName } from '../../src/old/stdout/formats/index.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { createBytes } from '../support/bytes.ts';
import { createFolder } from '../support/files.ts';
import { type Passing, type Reply, startFront } from '../support/front.ts';
import { openSandbox } from '../support/product.ts';
import { toReadings } from '../support/readings.ts';
import { NOW, run } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { OWN, READING, WRITING } from '../support/verbs.ts';

/** Every verb that asks the service, with what it is called with. */
const ASKING: readonly (readonly [words: string, argv: readonly string[]])[] = [
  ...Object.entries(READING),
  ...Object.entries(WRITING).map(([words, { argv }]) => [words, [...argv, '--yes']] as const),
];
/** These print secrets on stdout, for that is what they are called for. */
const PRINT_THE_NEW_TOKEN: readonly string[] = ['audit-token generate', 'audit-token rotate'];
const PRINTS_EVERY_TOKEN = 'sandbox serve';
/** How a stream is written depends on whether it is for people. */
const FORMATS_TRIED = ['table', 'json'] as const;

/** The formats that a verb prints in, beside the usual one. */
function listFormats(words: string): readonly FormatName[] {
  return FORMAT_NAMES.filter((name) => words !== 'audit-token generate' || FORMATS[name].isDocument);
}

describe('with --debug, on the sandbox, neither stream shows a token', () => {
  test.each(ASKING)('%s', async (words, argv) => {
    for (const format of FORMATS_TRIED.filter((name) => listFormats(words).includes(name))) {
      const service = await startService();
      const before = toTokens(service.sandbox);
      const { stdout, stderr } = await service.run([...words.split(' '), ...argv, '--debug', '-o', format]);
      expect(stderr).toContain(' http://127.0.0.1:');
      const made = [service.secretOf() ?? ''].filter((token) => token !== '' && !before.includes(token));
      expectHidden(stderr, [...before, ...made]);
      expectHidden(stdout, PRINT_THE_NEW_TOKEN.includes(words) ? before : [...before, ...made]);
    }
  });

  test.each(Object.entries(OWN))('%s', async (words, argv) => {
    for (const format of FORMATS_TRIED) {
      const home = createFolder();
      const token = 'abcdefghijklmn.atlasv1.of-the-environment';
      let stop: ((name: SignalName) => void) | undefined;
      const { code, stdout, stderr } = await run([...words.split(' '), ...argv, '--debug', '-o', format], {
        home,
        env: { ORGCTL_TOKEN: token },
        onStart: (signal) => {
          stop = signal;
        },
        onStdout: () => words === PRINTS_EVERY_TOKEN && stop?.('SIGTERM'),
      });
      expect(code).not.toBe(1);
      const announced = stdout.match(/\bsandbox\.\w+/g) ?? [];
      expect(announced.length > 0).toBe(words === PRINTS_EVERY_TOKEN);
      const stored = readStoredTokens(home);
      expectHidden(stderr, [token, ...stored, ...announced]);
      expectHidden(stdout, [token, ...stored]);
    }
  });
});

describe('with --debug, where every answer echoes the token, it is shown by neither stream', () => {
  test.each(ASKING)('%s', async (words, argv) => {
    const sandbox = openSandbox({ state: ':memory:', rateLimit: 0, now: () => NOW, randomBytes: createBytes('echo') });
    onTestFinished(() => sandbox.close());
    let answer: (passing: Passing) => Promise<void> = async () => undefined;
    const front = await startFront(acceptAnyToken(sandbox), (passing) => answer(passing));
    await fc.assert(
      fc.asyncProperty(anyToken, anyEcho, fc.constantFrom(...listFormats(words)), async (token, echo, format) => {
        const secrets = [token];
        let before = 0;
        answer = async (passing) => {
          const reply = await passing.act();
          const minted = /"token":"(.*?)"/.exec(reply.body)?.[1];
          if (minted !== undefined) secrets.push(minted);
          before += 1;
          if (before <= echo.after) passing.send(reply);
          else sendEcho(passing, reply, echo, (echo.body === 'result' ? secrets : [token]).flatMap(toForms));
        };
        const { stdout, stderr } = await run(
          [...words.split(' '), ...argv, '--debug', '--max-retries', '1', '-o', format],
          { env: { ORGCTL_BASE_URL: front.url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: token } },
        );
        expect(before).toBeGreaterThan(0);
        expectHidden(stderr, secrets);
        expectHidden(stdout, [token]);
        if (FORMATS[format].forPrograms) for (const line of stderr.trimEnd().split('\n')) JSON.parse(line);
      }),
      { numRuns: 3 },
    );
  });
});

test('a new token that the answer holds in another place too is not shown by a warning', async () => {
  for (const format of [[], ['-o', 'json']]) {
    const service = await startService({
      async alter(answer, request) {
        if (request.method !== 'POST') return answer;
        const { data } = (await answer.json()) as { data: { attributes: Record<string, unknown> } };
        const attributes = { ...data.attributes, 'expired-at': data.attributes['token'] };
        return Response.json({ data: { ...data, attributes } }, { status: answer.status });
      },
    });
    const { stdout, stderr } = await service.run(['audit-token', 'generate', '--yes', ...format]);
    const token = service.secretOf() ?? '';
    expect(stdout).toContain(token);
    expect(stderr).toContain("the service doesn't say when the new token expires");
    expectHidden(stderr, [token]);
  }
});

test('a redirect to where the token stands is told without it, in a result too', async () => {
  const token = '#ou?_"R%{$%?';
  const sandbox = openSandbox({
    state: ':memory:',
    rateLimit: 0,
    now: () => NOW,
    randomBytes: createBytes('redirect'),
  });
  onTestFinished(() => sandbox.close());
  const front = await startFront(acceptAnyToken(sandbox), async (passing) => {
    const location = `/elsewhere/${encodeURIComponent(token)}/members`;
    passing.send(passing.isWrite ? { status: 307, headers: { location }, body: '' } : await passing.act());
  });
  const env = { ORGCTL_BASE_URL: front.url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: token };
  const { code, stdout, stderr } = await run(
    ['members', 'invite', 'ana@example.com', 'ben@example.com', '--team', 'platform', '--yes', '-o', 'json'],
    { env },
  );
  expect(code).toBe(11);
  expect(stdout).toContain(`a redirect to ${front.origin}/elsewhere/[removed]/members`);
  expectHidden(stdout + stderr, [token]);
});

/** Tokens that a header can carry: any characters, those with a meaning somewhere, and such as look like real ones. */
const anyToken = fc
  .oneof(
    fc.string({ unit: toUnit(0x21, 0x7e), minLength: 8, maxLength: 100 }),
    fc.string({ unit: fc.constantFrom(...'+/=%"\\&<>\'.-_~#?;:,2F5u0n'), minLength: 8, maxLength: 30 }),
    fc.tuple(toAlphanumeric(14, 14), toAlphanumeric(60, 67)).map(([id, secret]) => `${id}.atlasv1.${secret}`),
  )
  // It would be shown by being removed.
  .filter((token) => !'[removed]'.includes(token));

function toUnit(from: number, to: number): fc.Arbitrary<string> {
  return fc.integer({ min: from, max: to }).map((code) => String.fromCharCode(code));
}

function toAlphanumeric(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength });
}

/** How secrets come back. */
interface Echo {
  /** So many answers before it are as they should be. */
  readonly after: number;
  readonly body: 'result' | 'errors' | 'foreign JSON' | 'text' | 'page' | 'nothing';
  /** Of all but a result. */
  readonly status: number;
  readonly ending: 'whole' | 'cut' | 'no HTTP';
  /** Which of their forms stands where there is room for one. */
  readonly form: number;
  readonly location: number;
}

const anyEcho: fc.Arbitrary<Echo> = fc.record({
  after: fc.nat(2),
  body: fc.constantFrom('result', 'errors', 'foreign JSON', 'text', 'page', 'nothing'),
  status: fc.constantFrom(200, 201, 204, 302, 307, 400, 401, 403, 404, 409, 422, 429, 500, 502, 504),
  ending: fc.constantFrom('whole', 'whole', 'whole', 'whole', 'whole', 'cut', 'no HTTP'),
  form: fc.nat(),
  location: fc.nat(),
});

const take = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** A secret in the ways that programs write what they were sent. */
function toForms(secret: string): readonly string[] {
  const header = `Bearer ${secret}`;
  const base64 = ['', 'x', 'xx', 'Bearer '].map((before) => Buffer.from(`${before}${secret} x`).toString('base64'));
  const percent = encodeURIComponent(header);
  const every = secret.replaceAll(/[^A-Za-z0-9]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const hexadecimal = Buffer.from(secret).toString('hex');
  const middle = secret.length / 2;
  return [
    secret,
    header,
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')),
    base64.map((text) => text.replaceAll(/.{16}/g, '$&\n')).join('\n'),
    percent,
    percent.toLowerCase() === percent ? percent : percent.replaceAll(/%../g, (code) => code.toLowerCase()),
    encodeURIComponent(percent),
    every,
    encodeURIComponent(take(base64, 3)),
    JSON.stringify(header),
    JSON.stringify(JSON.stringify({ headers: [JSON.stringify({ authorization: header })] })),
    secret.replaceAll(/[^A-Za-z0-9]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    secret.replaceAll(/[^A-Za-z0-9]/g, (sign) => `&#${sign.charCodeAt(0)};`),
    secret.replaceAll(/[^A-Za-z0-9]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`),
    hexadecimal,
    hexadecimal.toUpperCase(),
    `${secret.slice(0, middle)}\u001b[1m${secret.slice(middle)}`,
    `${secret.slice(0, middle)}\n${secret.slice(middle)}`,
  ];
}

/** The service behind knows only its owner's token. */
function acceptAnyToken(sandbox: Sandbox): Pick<Sandbox, 'handle'> {
  return {
    handle(request) {
      const headers = new Headers(request.headers);
      headers.set('authorization', `Bearer ${sandbox.tokenFor('owner', 'acme')}`);
      return sandbox.handle(new Request(request, { headers }));
    },
  };
}

function sendEcho(passing: Passing, reply: Reply, echo: Echo, forms: readonly string[]): void {
  const { outgoing } = passing;
  const form = take(forms, echo.form);
  const line = form.replaceAll(/[^ -~]/g, '');
  if (echo.ending === 'no HTTP') {
    outgoing.socket?.end(`${line}\r\n\r\n`);
    return;
  }
  const isResult = echo.body === 'result';
  const status = isResult ? reply.status : echo.status;
  // What is hidden behind escape sequences on purpose is found on stderr only.
  const plain = forms.filter((each) => !each.includes('\u001b'));
  const body = Buffer.from(isResult ? addTo(reply.body, take(plain, echo.form), plain) : toBody(echo, form, forms));
  outgoing.writeHead(status, line, {
    'content-type': echo.body === 'page' ? 'text/html' : 'application/vnd.api+json',
    'content-length': body.length,
    'x-request-id': [line, line],
    'tfp-api-version': '2.6',
    'tfp-appname': line,
    'retry-after': line,
    'x-ratelimit-limit': line,
    'www-authenticate': line,
    ...(echo.location % 2 === 0 ? { 'x-tfe-version': line } : {}),
    location: take(
      [`/${line}`, `/again?token=${line}`, line, `http://${line}.invalid/`, `//127.0.0.1:1/${line}`],
      echo.location,
    ),
  });
  if (echo.ending === 'whole') outgoing.end(body);
  else outgoing.write(body.subarray(0, body.length - 1), () => outgoing.destroy());
}

/** Texts may be shown up to a length, so that a form is cut in two. */
function toBody({ body, status, location }: Echo, form: string, forms: readonly string[]): string {
  const late = `${'.'.repeat(location % 220)}${form}`;
  if (status === 204) return '';
  switch (body) {
    case 'errors': {
      const error = { status: form, title: form, source: { pointer: form }, meta: { [form]: forms } };
      return JSON.stringify({ errors: [error, { ...error, detail: forms.join(' ') }, ...forms] });
    }
    case 'foreign JSON':
      return JSON.stringify({ error: form, message: forms.join('\n'), error_description: form });
    case 'text':
      return late;
    case 'page':
      return `<!doctype html><title>${late}</title><p>${forms.join('<br>')}`;
    default:
      return '';
  }
}

/** The service's own document, with the forms in every place that takes any text. */
function addTo(text: string, form: string, forms: readonly string[]): string {
  if (text === '') return text;
  return JSON.stringify(
    JSON.parse(text, (name, value) =>
      name === 'attributes' ? { ...value, email: form, 'created-at': form, [form]: forms } : value,
    ),
  );
}

function toTokens(sandbox: Sandbox): readonly string[] {
  return sandbox.tokens().flatMap(({ token }) => (token === null ? [] : [token]));
}

function readStoredTokens(home: string): readonly string[] {
  const state = join(home, 'state', 'sandbox', 'state.sqlite');
  if (!existsSync(state)) return [];
  const sandbox = openSandbox({ state, now: () => NOW, randomBytes: createBytes('stored') });
  try {
    return toTokens(sandbox);
  } finally {
    sandbox.close();
  }
}

/** Neither the secrets nor long beginnings of them, encoded in any way or not. */
function expectHidden(text: string, secrets: readonly string[]): void {
  const readings = toReadings(text);
  for (const secret of secrets.flatMap((secret) => [secret, ...(secret.length > 24 ? [secret.slice(0, 20)] : [])])) {
    expect(
      readings.some((reading) => reading.includes(secret)),
      `${secret} in ${text}`,
    ).toBe(false);
  }
}
