import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { GOOD, KEY } from './certificates.ts';
import { findFreePort } from './ports.ts';

/** A forward proxy that others wrote, where it is installed. */

export const SQUID = '/usr/sbin/squid';

/** Whether it is installed. If not, stderr says what is skipped. */
export function isInstalled(program: string): boolean {
  if (existsSync(program)) return true;
  process.stderr.write(`\n*** ${program} IS NOT INSTALLED: NO TEST RUNS THROUGH THIS PROXY ***\n\n`);
  return false;
}

export interface RealProxy {
  port: number;
  /** Ends the proxy, so that its log is whole: the targets of CONNECT in order, each with the name of its user if there was one. */
  stop(): Promise<{ target: string; user: string | undefined }[]>;
}

export interface ProxyOptions {
  /** Who may use it, by name and password; everyone when left out. */
  login?: [name: string, password: string] | undefined;
  /** Served by TLS, with a certificate for 127.0.0.1. */
  tls?: boolean;
}

/** Resolves `names` to this machine, whatever the machine's own resolver answers. */
export async function startSquid({ login, tls = false }: ProxyOptions, names: string[]): Promise<RealProxy> {
  const { folder, port, path, write } = await prepare();
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
    async stop() {
      await end(child);
      return readLines(path('access.log'), /^\S+ +\S+ \S+ \S+ \S+ CONNECT (\S+) (\S+) /).map(([target = '', user]) => ({
        target,
        user: user === '-' ? undefined : user,
      }));
    },
  };
}

async function prepare() {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-proxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => writeFileSync(path(name), text, { mode: 0o644 });
  return { folder, port: await findFreePort(), path, write };
}

function readLines(path: string, pattern: RegExp): string[][] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, ...found] = pattern.exec(line) ?? [];
      return found.length === 0 ? [] : [found];
    });
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  onTestFinished(() => end(child));
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`the proxy ended with ${child.exitCode}`);
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
