import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import packageLock from '../../package-lock.json' with { type: 'json' };
import { ROOT } from './shipped.ts';

/** npm's registry on loopback, with the packages of the lock file that orgctl is installed with and no other. */
export interface Registry {
  url: string;
  /** The names of all its packages. */
  names: string[];
  /** What was requested: packages by their names, archives by their paths. */
  requests: string[];
  close(): Promise<void>;
}

interface Locked {
  dev?: boolean;
  version: string;
}

/** Archives are made of what is installed here. Packages for other platforms are missing, and not requested. */
export async function startRegistry(): Promise<Registry> {
  const locked = Object.entries(packageLock.packages as Record<string, Locked>)
    .filter(([key, { dev }]) => key !== '' && dev !== true)
    .map(([key, manifest]) => [key.replace(/^node_modules\//, ''), manifest] as const);
  const manifests = new Map(locked);
  const requests: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-registry-'));
  const server = createServer((incoming, outgoing) => {
    const path = decodeURIComponent(incoming.url ?? '').slice(1);
    const name = path.replace(/\/-\/archive\.tar$/, '');
    const manifest = manifests.get(name);
    requests.push(path);
    if (incoming.method !== 'GET' || manifest === undefined) {
      outgoing.writeHead(404).end();
    } else if (name !== path) {
      outgoing.end(pack(name, folder));
    } else {
      const dist = { tarball: `http://${incoming.headers.host}/${encodeURIComponent(name)}/-/archive.tar` };
      const { version } = manifest;
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          name,
          'dist-tags': { latest: version },
          versions: { [version]: { ...manifest, name, dist } },
        }),
      );
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    names: [...manifests.keys()],
    requests,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function pack(name: string, folder: string): Buffer {
  const source = join(ROOT, 'node_modules', name);
  const archive = join(folder, `${name.replace('/', '-')}.tar`);
  if (!existsSync(archive)) {
    const { status, stderr } = spawnSync('tar', ['-cf', archive, '-C', dirname(source), basename(source)]);
    if (status !== 0) throw new Error(`${source} cannot be packed: ${stderr}`);
  }
  return readFileSync(archive);
}
