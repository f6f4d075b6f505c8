import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { expectDelivered, expectRotation, runSteps } from './job.ts';
import { expectUntraced, openWorkshop, readRecipe, type Workshop } from './workshop.ts';

interface Job {
  readonly variables: Readonly<Record<string, string>>;
  readonly before_script: readonly string[];
  readonly script: readonly string[];
}

const job = (parse(readRecipe('gitlab-ci.yml')) as { readonly 'rotate-audit-token': Job })['rotate-audit-token'];
// The recipe calls the real one: its options are what is tried here.
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const WRITER = 'gitlab-writer';

/** The one route of GitLab that the recipe calls. Its answer holds the value, as GitLab's does. */
interface GitLab {
  readonly url: string;
  /** The value of AUDIT_TOKEN. */
  readonly variable: { value: string };
  /** How many of the next calls are refused. */
  refusals: number;
}

async function startGitLab(): Promise<GitLab> {
  const gitlab = { url: '', variable: { value: 'replace-me' }, refusals: 0 };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const form = new Response(Buffer.concat(pieces), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    });
    const isKnown = `${request.method} ${request.url}` === 'PUT /api/v4/projects/42/variables/AUDIT_TOKEN';
    const isAllowed = request.headers['private-token'] === WRITER;
    gitlab.refusals -= 1;
    if (!isKnown || !isAllowed || gitlab.refusals >= 0) {
      response.writeHead(isKnown ? 403 : 404).end('{"message":"no"}');
      return;
    }
    const value = (await form.formData()).get('value');
    if (typeof value === 'string') gitlab.variable.value = value;
    response.writeHead(200).end(JSON.stringify({ key: 'AUDIT_TOKEN', value: gitlab.variable.value }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  gitlab.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v4`;
  return gitlab;
}

async function runJob(workshop: Workshop, gitlab: GitLab) {
  // What GitLab does with a variable of type File. It is the job's own, and goes with the machine.
  const file = workshop.write('AUDIT_TOKEN', gitlab.variable.value);
  const env = {
    CI: 'true',
    CI_API_V4_URL: gitlab.url,
    CI_PROJECT_ID: '42',
    ORGCTL_TOKEN: workshop.owner,
    VARIABLES_WRITER: WRITER,
    AUDIT_TOKEN: file,
    ...job.variables,
  };
  const script = [...job.before_script, ...job.script].join('\n');
  const ended = await runSteps(workshop, [{ name: 'script', shell: ['bash', '-eo', 'pipefail'], script, env }]);
  workshop.write('AUDIT_TOKEN', '');
  return ended;
}

describe.skipIf(!hasCurl)('the job (needs curl)', () => {
  test('stores the token in force, shows it to nobody, and leaves it alone while there is time', async () => {
    const [workshop, gitlab] = [await openWorkshop(), await startGitLab()];
    await expectRotation(
      workshop,
      () => gitlab.variable.value,
      [],
      () => runJob(workshop, gitlab),
    );
  });

  test('tries GitLab again with the same token', async () => {
    const [workshop, gitlab] = [await openWorkshop(), await startGitLab()];
    gitlab.refusals = 1;
    const ended = await runJob(workshop, gitlab);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain('curl: (22) The requested URL returned error: 403');
    await expectDelivered(workshop, gitlab.variable.value);
    expect(workshop.countPosts()).toBe(1);
    expectUntraced(workshop, gitlab.variable.value, [ended], []);
  });

  test("after a run that lost its token, and after somebody else's, the next one makes another", async () => {
    const [workshop, gitlab] = [await openWorkshop(), await startGitLab()];
    gitlab.refusals = 2;
    expect((await runJob(workshop, gitlab)).code).toBe(12);
    expect(gitlab.variable.value).toBe('replace-me');
    const ended = await runJob(workshop, gitlab);
    expect(ended.code, ended.stderr).toBe(0);
    await expectDelivered(workshop, gitlab.variable.value);
    expect(workshop.countPosts()).toBe(2);
  });

  test('leaves no file behind', async () => {
    const [workshop, gitlab] = [await openWorkshop(), await startGitLab()];
    await runJob(workshop, gitlab);
    expect(workshop.listTemporaries()).toEqual([]);
  });
});
