import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { createFolder } from './files.ts';
import type { RunOptions } from './run.ts';
import { type ServiceOptions, startService } from './service.ts';

export type State = Record<string, unknown>;
type Alter = NonNullable<ServiceOptions['alter']>;

export interface Token {
  id: string;
  secret: string;
}

/** A service, a machine, and the file `token` of a folder of its own, where rotations deliver to. */
export async function startRotations(options: Partial<SandboxOptions> & ServiceOptions = {}) {
  const service = await startService(options);
  const [home, folder] = [createFolder(), createFolder()];
  const place = join(folder, 'token');
  const count = (method: string): number => service.requests.filter((request) => request.method === method).length;
  return {
    service,
    home,
    folder,
    place,
    /** What is delivered. */
    held: (): string | undefined => (existsSync(place) ? readFileSync(place, 'utf8') : undefined),
    /** How a run ends, and how many tokens the service was asked to create and delete. */
    async rotate(words: string, run: Partial<RunOptions> = {}) {
      const [posts, deletions] = [count('POST'), count('DELETE')];
      const to = words.includes('--to') ? [] : ['--to', `file:${place}`];
      const argv = ['tokens', 'rotate', ...words.split(' '), '--expires', '90d', '--yes', ...to];
      // Each run draws other numbers than the one before.
      const result = await service.run(argv, { home, seed: String(service.requests.length), ...run });
      return { ...result, created: count('POST') - posts, deleted: count('DELETE') - deletions };
    },
    /** The audit trail token is replaced by somebody else, who gets this. */
    async replace(): Promise<Token> {
      const data = { type: 'authentication-token', attributes: {} };
      const { body } = await service.ask(
        'POST',
        '/organizations/acme/authentication-token?token=audit-trails',
        'owner',
        { data },
      );
      const made = (body as { data: { id: string; attributes: { token: string } } }).data;
      return { id: made.id, secret: made.attributes.token };
    },
  };
}

/** Where the only token that a machine rotates has its state. */
export function findState(home: string): string {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
  return join(home, dirname(names.find((name) => name.endsWith('rotation.lock')) ?? ''), 'rotation.json');
}

export function readState(home: string): State {
  return JSON.parse(readFileSync(findState(home), 'utf8'));
}

/** As an earlier run may have left it. */
export function writeState(home: string, state: State): void {
  writeFileSync(findState(home), JSON.stringify({ version: 1, ...state }), { mode: 0o600 });
}

/** What is under way. */
export function listNames(state: State): string {
  return ['sent', 'pending', 'delivered', 'retiring'].filter((name) => [state[name] ?? []].flat().length > 0).join(' ');
}

/** For `alter`: the answer with a new token, otherwise. */
export function change(edit: (made: { id?: string; attributes: { token?: string } }) => void): Alter {
  return async (given) => {
    const document = (await given.json()) as { data: Parameters<typeof edit>[0] };
    edit(document.data);
    return Response.json(document, { status: 201 });
  };
}

/** For `alter`: a service as in its document, which shows neither the token nor who may see it. */
export const hideAuditToken: Alter = (given, { method, url }) =>
  method === 'GET' && /authentication-token(\?|$)|\/organizations\/[^/]+$/.test(url)
    ? new Response('{"errors":[{"status":"404"}]}', { status: 404 })
    : given;
