import { mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from './run.ts';
import type { After } from './scripted.ts';

/** An orgctl for shells that runs in this process, since many starts take long. Returns the folder that it is in. */
export async function serveOrgctl(home: string, after: After = onTestFinished): Promise<string> {
  const server = createServer((socket) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (piece) => {
      text += piece;
      const [count, ...words] = text.split('\0');
      const [cwd, stdin = '', ...variables] = words.splice(Number(count));
      const end = variables.indexOf('');
      if (end < 0 || end === variables.length - 1) return;
      const env = Object.fromEntries(variables.slice(0, end).map((line) => line.split(/=(.*)/s).slice(0, 2)));
      void run(words, { env, home, stdin, host: { cwd: cwd ?? home } }).then(({ code, stdout, stderr }) =>
        socket.end(`${code}\0${stdout}\0${stderr}\0`),
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  after(() => void server.close());
  const folder = mkdtempSync(join(home, 'inside-'));
  writeFileSync(
    join(folder, 'orgctl'),
    `#!/usr/bin/env bash
[ -t 0 ] || input=$(cat)
exec 3<>/dev/tcp/127.0.0.1/${(server.address() as AddressInfo).port}
{ printf '%s\\0' "$#" "$@" "$PWD" "$input"; env -0; printf '\\0'; } >&3
for each in code stdout stderr; do IFS= read -rd '' "$each" <&3; done
printf %s "$stdout"
printf %s "$stderr" >&2
exit "$code"
`,
    { mode: 0o755 },
  );
  return folder;
}
