import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SinkSurroundings } from '../../../../src/old/rotation/sinks/sink.ts';
import { createSecrets } from '../../../../src/old/secrets/secrets.ts';
import { toPlainText } from '../../../../src/old/text/plain-text.ts';
import { createBytes } from '../../../support/bytes.ts';

/** Looks like a token, and has forms in base64 and in a URL that differ from it. */
export const SECRET = 'Abc/+def.atlasv1.0123456789?>~GHIJKLMNOPQRSTUVWXYZabcdefghij';
/** As the service makes them. */
export const TOKEN = `sandbox.${'Ab3dEf9h'.repeat(7)}`;

/** The machine as sinks see it, with both streams kept as text. */
export function createSurroundings(overrides: Partial<SinkSurroundings> = {}) {
  const written = { stdout: '', stderr: '', warnings: [] as string[] };
  const surroundings: SinkSurroundings = {
    env: { PATH: process.env['PATH'] },
    platform: process.platform,
    user: process.getuid?.(),
    warn: (text) => written.warnings.push(text),
    cwd: tmpdir(),
    isStdoutDiscarded: () => false,
    randomBytes: createBytes('sinks'),
    async writeStdout(text) {
      written.stdout += text;
    },
    async writeStderr(text) {
      written.stderr += text;
    },
    async showCommandOutput(text) {
      written.stderr += text;
    },
    toStdoutText: (secret) => `${secret}\n`,
    toPlainLine: toPlainText,
    createRedactor: (secret) => createSecrets(secret).createRedactor(),
    sendSignal: (pid, signal) => process.kill(pid, signal),
    ...overrides,
  };
  const { warnings } = written;
  return { ...surroundings, stdout: () => written.stdout, stderr: () => written.stderr, warnings: () => warnings };
}

/** All that is in a folder, with what a write would change. */
export function listAll(folder: string): readonly string[] {
  const time = ({ mtimeMs, ctimeMs }: { mtimeMs: number; ctimeMs: number }) => `${mtimeMs} ${ctimeMs}`;
  const entries = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return `${entry.name} -> ${readlinkSync(path)}`;
    const stats = statSync(path);
    const content = entry.isFile() ? readFileSync(path, 'latin1') : '';
    return `${entry.name} ${stats.mode.toString(8)} ${stats.ino} ${time(stats)} ${content}`;
  });
  return [...entries.sort(), time(statSync(folder))];
}
