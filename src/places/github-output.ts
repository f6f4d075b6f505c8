import { resolve } from 'node:path';
import { UsageError } from '../lib/errors.ts';
import { assertFileWritable } from '../lib/files.ts';
import { appendPrivateLine } from '../lib/own-files.ts';
import { readVariable } from '../lib/runtime.ts';
import type { Place, PlaceContext } from './place.ts';

export function open(output: string, { runtime, writeRaw }: PlaceContext): Place {
  if (!/^[A-Za-z_][\w-]*$/.test(output)) throw new UsageError(`--to: '${output}' is not an output name`);
  const findFile = (): string => {
    const path = readVariable(runtime.env, 'GITHUB_OUTPUT');
    if (path === undefined) throw new Error('GITHUB_OUTPUT is not set');
    return resolve(runtime.cwd, path);
  };
  const name = `github-output:${output}`;
  return {
    name,
    id: name,
    check: async () => assertFileWritable(findFile()),
    isMasking: true,
    async deliver(secret) {
      const delimiter = `orgctl-${Buffer.from(runtime.randomBytes(16)).toString('hex')}`;
      await writeRaw(`::add-mask::${secret.replace(/[%\r\n]/g, encodeURIComponent)}\n`);
      appendPrivateLine(findFile(), `${output}<<${delimiter}\n${secret}\n${delimiter}`);
    },
  };
}
