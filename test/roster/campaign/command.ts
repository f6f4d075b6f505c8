import { createRequire } from 'node:module';
import { runInside as runMain } from '../../campaign/inside.ts';
import { type Ended, type Environment, type Program, startWatched, type WatchedRun } from '../../campaign/process.ts';

/** The built orgctl, in this process or as a child. */

export interface CommandOptions {
  readonly url: string;
  readonly stdin: string;
  readonly home: string;
}

const toEnvironment = ({ url, home }: CommandOptions): Environment => ({
  ...{ ORGCTL_CONFIG_DIR: `${home}/config`, ORGCTL_STATE_DIR: `${home}/state` },
  ...{ ORGCTL_BASE_URL: url, ORGCTL_TOKEN: 'trial', ORGCTL_ORG: 'acme' },
});

export async function runInside({ door }: Program, argv: readonly string[], options: CommandOptions): Promise<Ended> {
  const { main } = createRequire(door)('../dist/main.cjs');
  return await runMain(main, argv, { ...options, env: toEnvironment(options) });
}

export function startChild(program: Program, argv: readonly string[], options: CommandOptions): WatchedRun {
  return startWatched(program, argv, { ...options, env: toEnvironment(options) });
}
