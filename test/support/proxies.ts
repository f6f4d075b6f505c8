import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { GOOD, KEY } from './certificates.ts';
import { createFolder } from './files.ts';
import { findFreePort } from './ports.ts';

/** A forward proxy that others wrote, where it is installed. */

export const SQUID = '/usr/sbin/squid';

interface ProxyOptions {
  /** Who may use it, by name and password; everyone when left out. */
  login?: [name: string, password: string] | undefined;
  /** Served by TLS, with a certificate for 127.0.0.1. */
  tls?: boolean;
}

/** Resolves `names` to this machine, whatever the machine's own resolver answers. */
export async function startSquid({ login, tls = false }: ProxyOptions, names: string[]) {
  const folder = createFolder();
  const port = await findFreePort();
  const path = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => writeFileSync(path(name), text, { mode: 0o644 });
  // Started by root it changes to another user, who writes the logs.
  chmodSync(folder, 0o777);
  write('hosts', names.map((name) => `127.0.0.1 ${name}\n`).join(''));
  write('cert.pem', GOOD);
  write('key.pem', KEY);
  // One pair a line, with nothing encoded that is usual in an address but the percent sign itself.
  const expected = (login ?? []).join(' ').replaceAll('%', '%25');
  write('login.sh', `while read -r line; do if [ "$line" = '${expected}' ]; then echo OK; else echo ERR; fi; done\n`);
  const settings = [
    tls
      ? `https_port 127.0.0.1:${port} tls-cert=${path('cert.pem')} tls-key=${path('key.pem')}`
      : `http_port 127.0.0.1:${port}`,
    ...(login === undefined
      ? ['http_access allow all']
      : [
          `auth_param basic program /bin/sh ${path('login.sh')}`,
          'acl known proxy_auth REQUIRED',
          'http_access allow known',
          'http_access deny all',
        ]),
    `hosts_file ${path('hosts')}`,
    'dns_nameservers 127.0.0.1',
    `access_log stdio:${path('access.log')}`,
    `cache_log ${path('cache.log')}`,
    'cache deny all',
    'pid_filename none',
    'netdb_filename none',
    'pinger_enable off',
    'visible_hostname proxy.example.test',
    'shutdown_lifetime 0 seconds',
  ];
  write('squid.conf', `${settings.join('\n')}\n`);
  const child = spawn(SQUID, ['-N', '-f', path('squid.conf')], { stdio: 'ignore' });
  await untilListening(child, port);
  return {
    port,
    /** Ends the proxy, so that its log is whole: its targets in order, each with the name of its user if there was one. */
    async stop() {
      await end(child);
      const lines = readFileSync(path('access.log'), 'utf8').matchAll(
        /^(?:\S+ +){5}[A-Z]+ (?:http:\/\/)?([^\s/]+)\S* (\S+) /gm,
      );
      return [...lines].map(([, target, user]) => ({ target, user: user === '-' ? undefined : user }));
    },
  };
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  onTestFinished(() => end(child));
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`the proxy ended with ${child.exitCode}`);
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isThere = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isThere;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
