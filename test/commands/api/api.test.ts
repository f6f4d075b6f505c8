import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFolder } from '../../support/files.ts';
import { run } from '../../support/run.ts';
import { answer, reset, startScripted, type Turn } from '../../support/scripted.ts';
import { startService } from '../../support/service.ts';
import { transcript } from '../../support/transcript.ts';

const BLIND = "orgctl can't say what this changes, or undo it.";
const AWS = '/organizations/acme/registry-providers/public/hashicorp/aws';
const NEW = '/organizations/acme/registry-providers';
const BODY =
  '{ "data": { "type": "registry-providers", "attributes": { "name": "null", "namespace": "hashicorp", "registry-name": "public" } } }';

/** A service that answers as told, and the environment that names it. */
async function scripted(...turns: readonly Turn[]) {
  const [first = answer(200, {}), ...rest] = turns;
  const server = await startScripted([first, ...rest]);
  const env = { ORGCTL_BASE_URL: `${server.origin}/api/v2`, ORGCTL_TOKEN: 'a-token-of-tests' };
  return {
    server,
    run: (argv: readonly string[], more: Parameters<typeof run>[1] = {}) => run(['api', ...argv], { ...more, env }),
  };
}

describe('a read', () => {
  test('prints the body as it came, with the token, the media type and the query of both kinds', async () => {
    const body = '{"data":[ {"id":12345678901234567890}]}';
    const { server, run: api } = await scripted(answer(200, body, { 'content-type': 'application/json' }));
    const result = await api(['get', '/teams?a=1', '-f', 'page[size]=5', '-f', 'q=x&y=z']);
    expect(result).toEqual({ code: 0, stdout: `${body}\n`, stderr: '' });
    const [request] = server.requests;
    expect(request?.target).toBe('/api/v2/teams?a=1&page%5Bsize%5D=5&q=x%26y%3Dz');
    expect(request?.method).toBe('GET');
    expect(request?.headers.get('authorization')).toBe('Bearer a-token-of-tests');
    expect(request?.headers.get('accept')).toBe('application/vnd.api+json');
    expect(server.requests).toHaveLength(1);
  });

  test.each(['-o json', '--all', '--query data[].links'])(
    'shows no address that files can be put to with %s',
    async (options) => {
      const address = 'https://archivist.example.com/v1/object/a-secret';
      const data = [{ id: 'provver-1', type: 'versions', links: { 'shasums-upload': address, self: '/versions/1' } }];
      const { run: api } = await scripted(answer(200, { data }));
      const { code, stdout, stderr } = await api(['GET', '/versions', ...options.split(' ')]);
      expect(code, stderr).toBe(0);
      expect(stdout).toContain('"shasums-upload": "[removed]"');
      expect(stdout).toContain('/versions/1');
      expect(stdout).not.toContain('a-secret');
      // As it came it is what an upload by hand needs.
      expect((await api(['GET', '/versions'])).stdout).toContain(address);
    },
  );

  test('of the registry goes to where that lies: beside the base URL, and not below it', async () => {
    const keys = '/api/registry/private/v2/gpg-keys';
    const { server, run: api } = await scripted(answer(200, { data: [] }));
    await api(['GET', keys, '-f', 'filter[namespace]=acme', '--all']);
    await api(['DELETE', `${keys}/acme/1F`, '--yes']);
    await api(['GET', '/api/registryx']);
    expect(server.requests.map(({ target }) => target)).toEqual([
      `${keys}?filter%5Bnamespace%5D=acme&page%5Bsize%5D=100`,
      `${keys}/acme/1F`,
      '/api/v2/api/registryx',
    ]);
    expect(server.requests.map(({ headers }) => headers.get('authorization'))).toEqual(
      Array.from({ length: 3 }, () => 'Bearer a-token-of-tests'),
    );
  });

  test('is laid out at a terminal, and where JSON is asked for', async () => {
    const { run: api } = await scripted(answer(200, { data: { id: 'a' } }));
    const laidOut = '{\n  "data": {\n    "id": "a"\n  }\n}\n';
    expect((await api(['GET', '/x'], { tty: { stdout: true } })).stdout).toBe(laidOut);
    expect((await api(['GET', '/x', '-o', 'json'])).stdout).toBe(laidOut);
  });

  test('text that is no JSON is printed without what a terminal would obey', async () => {
    const { run: api } = await scripted(
      answer(200, 'one\u001b[31m\u202etwo\r\nthree', { 'content-type': 'text/plain' }),
    );
    expect(await api(['GET', '/log'])).toEqual({ code: 0, stdout: 'onetwo\nthree\n', stderr: '' });
  });

  test('characters that turn text around travel as escapes', async () => {
    const { run: api } = await scripted(answer(200, '{"a":"\u202e"}', { 'content-type': 'application/json' }));
    expect((await api(['GET', '/x'])).stdout).toBe('{"a":"\\u202e"}\n');
  });

  test.each([
    ['JSON', '{"you":"a-token-of-tests","encoded":"YS10b2tlbi1vZi10ZXN0cw=="}', 'application/json'],
    ['text', 'you sent a-token-of-tests', 'text/plain'],
  ])('the token is not printed where the answer repeats it as %s', async (_kind, body, type) => {
    const { run: api } = await scripted(answer(200, body, { 'content-type': type }));
    for (const more of [[], ['--debug'], ['-o', 'json']]) {
      const result = await api(['GET', '/echo', ...more]);
      expect({ code: result.code, isPrinted: result.stdout.includes('you') }).toEqual({ code: 0, isPrinted: true });
      expect(result.stdout + result.stderr).not.toMatch(/a-token-of-tests|YS10b2tlbi1vZi10ZXN0cw/);
    }
  });

  test('no body prints nothing', async () => {
    const { run: api } = await scripted(answer(204));
    expect(await api(['GET', '/ping'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test.each([
    ['a web page', '<!doctype html><title>Portal</title>', 'text/html', 'HOST answered with a web page ("Portal")'],
    [
      'half a document',
      '{"data":',
      'application/json',
      "http://HOST/api/v2 doesn't answer like HCP Terraform or Terraform Enterprise",
    ],
  ])('%s is not the service: exit 9', async (_what, body, type, message) => {
    const turn = answer(200, body, { 'content-type': type });
    const { server, run: api } = await scripted(turn);
    const result = await api(['GET', '/x']);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 9, stdout: '' });
    expect(result.stderr).toContain(`orgctl: ${message.replace('HOST', new URL(server.origin).host)}\n`);
  });

  test.each([
    [401, 4, 'HOST rejected your token (from ORGCTL_TOKEN)'],
    [403, 6, "you don't have permission to send GET /x"],
    [404, 5, "can't send GET /x: not found, or no permission"],
    [422, 7, 'the service rejected the request'],
  ])("%i is exit %i, with the service's own words", async (status, code, message) => {
    const { server, run: api } = await scripted(
      answer(status, { errors: [{ status: String(status), title: 'no', detail: 'not today' }] }),
      answer(200, { data: [] }),
    );
    const result = await api(['GET', '/x']);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
    const said = `orgctl: ${message.replace('HOST', new URL(server.origin).host)}\n  Service: ${status} no: not today.`;
    expect(result.stderr).toContain(said);
  });

  test('is tried again after a 503', async () => {
    const { server, run: api } = await scripted(answer(503), answer(200, {}));
    expect(await api(['GET', '/x'])).toEqual({ code: 0, stdout: '{}\n', stderr: '' });
    expect(server.requests).toHaveLength(2);
  });
});

describe('a write', () => {
  test('is sent as it was written, once confirmed', async () => {
    const home = createFolder();
    writeFileSync(join(home, 'body.json'), `\ufeff${BODY}`);
    const service = await startService();
    const result = await service.run(['api', 'post', NEW, '--input', 'body.json', '--yes'], { home });
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toMatchObject({ data: { attributes: { name: 'null' } } });
    expect(service.requests.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
      { method: 'POST', path: `/api/v2${NEW}`, body: BODY },
    ]);
  });

  test('takes its body from stdin', async () => {
    const service = await startService();
    const result = await service.run(['api', 'POST', NEW, '--input', '-', '--yes'], { stdin: BODY });
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(service.requests.map(({ body }) => body)).toEqual([BODY]);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s needs confirmation, and sends nothing without', async (method) => {
    const service = await startService();
    const refused = await service.run(['api', method, AWS]);
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(`no terminal to ask at: Send ${method} ${AWS} to 127.0.0.1:`);
    const declined = await service.run(['api', method, AWS], { stdin: 'n\n', tty: { stdin: true, stderr: true } });
    expect(declined.code).toBe(3);
    expect(service.requests).toEqual([]);
  });

  test('the question names the sandbox, where it is sent there', async () => {
    const { stderr } = await run(['--sandbox', 'api', 'DELETE', AWS]);
    expect(stderr).toContain(`no terminal to ask at: Send DELETE ${AWS} to the sandbox?`);
    expect(stderr).toContain(`  ${BLIND}\n  → Add --yes, or --dry-run to preview.\n`);
  });

  test('a dry run shows it, and sends nothing', async () => {
    const service = await startService();
    // A read-only login may look at what it would do.
    const env = { ORGCTL_READ_ONLY: '1' };
    const result = await service.run(['api', 'DELETE', AWS, '-f', 'a=b', '--dry-run'], { env });
    const planned = { effect: `send DELETE ${AWS}?a=b`, method: 'DELETE', url: `${service.url}${AWS}?a=b` };
    expect({ ...result, stdout: JSON.parse(result.stdout) }).toEqual({
      code: 0,
      stdout: { planned },
      stderr: `${BLIND}\nWould send DELETE ${AWS}?a=b\nNothing was sent.\n`,
    });
    expect(service.requests).toEqual([]);
  });

  test('-f in place of a body is said to be none, in a dry run and where the service misses one', () =>
    transcript()`
      $ api POST /organizations/acme/teams -f name=x --dry-run --query planned.method
      "POST"
      ! {"note":{"message":"${BLIND}"}}
      ! {"planned":{"effect":"send POST /organizations/acme/teams?name=x","method":"POST","url":"http://127.0.0.1:PORT/api/v2/organizations/acme/teams?name=x"}}
      ! {"note":{"message":"What -f gives is a query parameter. A body comes from --input."}}
      $ api POST /organizations/acme/teams -f name=x --yes
      ! orgctl: the service rejected the request
      !   Service: 422 malformed body: The request body must be a JSON object (request request-1).
      !   → What -f gives is a query parameter. A body comes from --input.
      > POST /organizations/acme/teams?name=x
      = 7
    `);

  test('read-only refuses it', async () => {
    const service = await startService();
    const result = await service.run(['api', 'DELETE', AWS, '--yes'], { env: { ORGCTL_READ_ONLY: '1' } });
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 2, stdout: '' });
    expect(result.stderr).toContain('orgctl: read-only mode is on (from ORGCTL_READ_ONLY), nothing was sent\n');
    expect(service.requests).toEqual([]);
  });

  test.each([
    ['a reset', reset],
    ['a 500', answer(500)],
    ['a web page', answer(200, '<html></html>', { 'content-type': 'text/html' })],
  ])('%s leaves open whether it happened: exit 11, and it is not sent again', async (_what, turn) => {
    const { server, run: api } = await scripted(turn);
    const result = await api(['DELETE', '/x', '--yes']);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 11, stdout: '' });
    expect(result.stderr).toContain('orgctl: unknown whether this happened: send DELETE /x\n');
    // What is asked to explain the answer only reads.
    expect(server.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1);
  });

  test('a dry run shows the body without its secrets', async () => {
    const service = await startService();
    const stdin = '{"data":{"attributes":{"name":"shown","password":"hunter22"}}}';
    const result = await service.run(['api', 'POST', '/x', '--input', '-', '--dry-run', '--debug'], { stdin });
    expect(result.stderr).toContain('"name": "shown"');
    expect(result.stdout + result.stderr).not.toContain('hunter22');
    expect(service.requests).toEqual([]);
  });

  test('its secrets stay out of the trace', async () => {
    const { run: api } = await scripted(answer(201, { data: { attributes: { token: 'minted-just-now' } } }));
    const result = await api(['POST', '/tokens', '--input', '-', '--yes', '--debug'], {
      stdin: '{"data":{"attributes":{"password":"hunter22"}}}',
    });
    expect(result.code).toBe(0);
    expect(result.stderr).toContain('debug: POST ');
    expect(result.stderr).not.toMatch(/minted-just-now|hunter22|a-token-of-tests/);
  });
});

describe('--all', () => {
  test('gives one document of the whole list', async () => {
    const service = await startService();
    const result = await service.run(['api', 'GET', NEW, '--all', '-f', 'page[size]=2']);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    const document = JSON.parse(result.stdout) as { data: unknown[] };
    expect(Object.keys(document)).toEqual(['data']);
    expect(document.data).toHaveLength(5);
    expect(service.requests.map(({ path }) => path.replace(/^.*\?/, ''))).toEqual([
      'page%5Bsize%5D=2',
      'page%5Bnumber%5D=2&page%5Bsize%5D=2',
      'page%5Bnumber%5D=3&page%5Bsize%5D=2',
    ]);
  });

  test('follows pages as the audit trail has them', async () => {
    const page = (number: number, next: number | null, ids: readonly string[]) =>
      answer(200, {
        data: ids.map((id) => ({ id })),
        pagination: { current_page: number, next_page: next, total_pages: 2, total_count: 3 },
      });
    const { run: api } = await scripted(page(1, 2, ['a', 'b']), page(2, null, ['c']));
    const result = await api(['GET', '/organization/audit-trail', '--all']);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toEqual({ data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] });
  });

  test('a list that does not add up is not printed: exit 10', async () => {
    const wrong = answer(200, {
      data: [{ id: 'a', type: 'x' }],
      meta: { pagination: { 'current-page': 1, 'next-page': null, 'total-pages': 1, 'total-count': 2 } },
    });
    const { server, run: api } = await scripted(wrong);
    const result = await api(['GET', '/x', '--all']);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 10, stdout: '' });
    expect(result.stderr).toContain('the service counts 2, but 1 were read');
    expect(server.requests).toHaveLength(4);
  });

  test('what is no list is refused', async () => {
    const { run: api } = await scripted(answer(200, { data: { id: 'a', type: 'x' } }));
    const result = await api(['GET', '/x', '--all']);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 2, stdout: '' });
    expect(result.stderr).toContain("orgctl: can't send GET /x with --all: the answer is not a list\n");
  });
});

describe('what cannot be meant is refused before anything is sent', () => {
  test.each([
    [['HEAD', '/x'], 'orgctl: unknown method: HEAD\n'],
    [['GET', '/x', '--input', '-'], "orgctl: --input doesn't work with GET, which has no body\n"],
    [['DELETE', '/x', '--all'], 'orgctl: --all works only with GET, not with DELETE\n'],
    [['GET', '/x', '--all', '-f', 'page[number]=2'], '--all reads every page'],
    [['GET', '/x', '--all', '-f', 'page[size]=0'], 'page[size] takes a whole number from 1'],
    [['GET', '/x', '-f', 'novalue'], "-f takes key=value, not 'novalue'"],
    [['GET', '/x', '-f', '=v'], "-f takes key=value, not '=v'"],
    [['GET', '/x', '-o', 'csv'], "orgctl: -o csv doesn't work with api, which prints the service's own documents\n"],
    [['GET', '/x', '--fields', 'id'], "orgctl: --fields doesn't work with api\n"],
    [['GET', '//127.0.0.1/x'], 'names another host'],
    [['POST', '/x', '--input', 'absent.json', '--yes'], "orgctl: can't read absent.json: it doesn't exist\n"],
    [['POST', '/x', '--input', '-', '--yes'], 'orgctl: stdin (--input) is not JSON\n'],
  ])('%j', async (argv, why) => {
    const service = await startService();
    const result = await service.run(['api', ...argv]);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 2, stdout: '' });
    expect(result.stderr).toContain(why);
    expect(service.requests).toEqual([]);
  });

  test('a body that is no JSON is not repeated', async () => {
    const service = await startService();
    const result = await service.run(['api', 'POST', '/x', '--input', '-', '--yes'], { stdin: '{"token": sesame}' });
    expect(result.code).toBe(2);
    expect(result.stderr).not.toContain('sesame');
    expect(service.requests).toEqual([]);
  });
});

describe('a path', () => {
  test('alone is read', () =>
    transcript({ reads: true })`
      $ api /organizations/acme/teams --query 'data[0].attributes.name'
      "owners"
      > GET /organizations/acme/teams
      $ api get
      ! orgctl: missing <path>
      !   → Usage: orgctl api <method> [path] [options]   Help: orgctl api --help
      = 2, nothing sent
    `);

  test('without its slash is refused, with the line that works', () =>
    transcript()`
      $ api organizations/acme/teams -f page[size]=5
      ! orgctl: the path 'organizations/acme/teams' doesn't begin with a slash
      !   → Paths begin at the base URL. With a slash:
      !   $ orgctl --org acme api GET /organizations/acme/teams -f 'page[size]=5'
      = 2, nothing sent
    `);

  test('that is unknown is a 404 that says no more than is known', () =>
    transcript()`
      $ api /nosuch
      ! orgctl: can't send GET /nosuch: not found, or no permission
      !   Service: 404 not found (request request-1). It may not exist, or you may lack permission: the service answers 404 to both.
      !   → Check the path.
      = 5
    `);
});
