import type { Program } from '../campaign/process.ts';
import { type Home, run, start } from './home.ts';

/** The sandbox as a server, in a process of its own. */
export type Served = Awaited<ReturnType<typeof serve>>;

/** The usual state of a home, which `--sandbox` uses too; or one in memory. */
export async function serve(program: Program, home: Home, flags: readonly string[]) {
  const argv = ['sandbox', 'serve', '--port', '0', '--rate-limit', '0', '-o', 'json', ...flags];
  const running = start(program, argv, { home: home.path, isServer: true });
  await running.untilStdout((text) => text.includes('\n'));
  return {
    url: JSON.parse(running.stdout())['base-url'] as string,
    running,
    async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
      running.kill(signal);
      await running.ended;
    },
  };
}

const MEDIA_TYPE = 'application/vnd.api+json';
const HEADERS = { authorization: 'Bearer sandbox.owner', 'content-type': MEDIA_TYPE };

/** The team that is invited to. */
async function findTeam(url: string): Promise<string> {
  const response = await fetch(`${url}/organizations/acme/teams?filter%5Bnames%5D=platform`, { headers: HEADERS });
  return ((await response.json()) as { data: readonly { id: string }[] }).data[0]?.id ?? '';
}

/** Invites from several clients until so many are told that it is done; then the server is killed. */
export async function killWhileInviting(
  program: Program,
  home: Home,
  { acknowledged, clients }: { readonly acknowledged: number; readonly clients: number },
): Promise<readonly string[]> {
  const { url, stop } = await serve(program, home, []);
  const team = await findTeam(url);
  const told: string[] = [];
  let end: Promise<void> | undefined;
  let sent = 0;
  const invite = async (): Promise<void> => {
    while (end === undefined) {
      sent += 1;
      const email = `p${sent}@example.com`;
      const body = JSON.stringify({
        data: {
          type: 'organization-memberships',
          attributes: { email },
          relationships: { teams: { data: [{ type: 'teams', id: team }] } },
        },
      });
      const init = { method: 'POST', headers: HEADERS, body };
      const status = await fetch(`${url}/organizations/acme/organization-memberships`, init).then(
        (response) => response.status,
        () => undefined,
      );
      if (status === 201) told.push(email);
      else if (end === undefined) throw new Error(`an invitation was answered ${status}`);
      if (told.length >= acknowledged) end ??= stop('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: clients }, invite));
  await end;
  return told;
}

/** What a killed server left, by another run's account. */
export async function findLost(program: Program, home: Home, told: readonly string[]): Promise<readonly string[]> {
  const argv = ['--sandbox', 'members', 'list', '--status', 'invited', '-o', 'json', '--fields', 'email,teams', '-q'];
  const { code, stdout, stderr } = await run(program, argv, { home: home.path });
  if (code !== 0) return [`the state cannot be read again: ${stderr}`];
  const invited = JSON.parse(stdout) as readonly { email: string; teams: readonly unknown[] }[];
  const emails = new Set(invited.map(({ email }) => email));
  return [
    ...told.filter((email) => !emails.has(email)).map((email) => `${email} was invited, and is not`),
    ...invited.filter(({ teams }) => teams.length === 0).map(({ email }) => `${email} is in no team`),
    ...(emails.size === invited.length ? [] : ['somebody is invited twice']),
  ];
}
