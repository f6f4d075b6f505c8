import { resolve } from 'node:path';
import { readAccountName } from '../../api/account.ts';
import type { Client } from '../../api/client.ts';
import { catchNotFound, isRefused } from '../../api/not-found.ts';
import { listOwnOrganizations } from '../../api/organizations.ts';
import { defineVerb } from '../../cli/command.ts';
import type { Session } from '../../cli/session.ts';
import { DEFAULT_SOURCE } from '../../config/resolve.ts';
import { parseToken } from '../../config/token.ts';
import { OrgctlError, ServiceError, UsageError } from '../../lib/errors.ts';
import { readInput } from '../../lib/input.ts';
import { isSameName, joinNames, suggest } from '../../lib/text.ts';

export const verb = defineVerb({
  isForNewProfile: true,
  usualOptions: '--host --base-url --ca-file --profile --org --dry-run',
  examples: ['auth login', 'auth login --profile work --host tfe.example.com', 'auth login --org acme < token'],
  async run(session, { org: named }) {
    const { settings, profile, store, messages, isDryRun, redactor } = session;
    if (session.isSandbox)
      throw new UsageError('the sandbox takes no token', { hint: 'Choose who you are with --as.' });
    if (settings['token-command'].value !== undefined) {
      throw new UsageError('this profile gets its token from token-command', {
        hint: 'Run `orgctl settings unset token-command` first.',
      });
    }
    const baseUrl = new URL(settings['base-url'].value);
    const token = await readToken(session, baseUrl);
    redactor.add(token);
    const client = session.openClient({ baseUrl, token });
    const account = await readAccountName(client).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.status !== 401) throw error;
      throw new OrgctlError('not-authenticated', `${baseUrl.host} rejected this token`, {
        hint: 'Nothing was stored.',
        cause: error,
      });
    });
    const orgs = await listActiveNames(client);
    const org = named === undefined ? undefined : findOrg(named, orgs);
    const target = `${baseUrl.host}${account === undefined ? '' : ` as ${account}`}`;
    if (isDryRun) return messages.note(`Would log in to ${target}`);

    await store.writeToken(profile.name, baseUrl.origin, token);
    const { source: from, value: service } = settings['base-url'];
    if (from !== DEFAULT_SOURCE || profile.name !== undefined) {
      await store.writeSettings(profile.name, { 'base-url': service });
    }
    const { source, value: caFile } = settings['ca-file'];
    if (caFile !== undefined && source !== 'config.json') {
      await store.writeSettings(undefined, { 'ca-file': resolve(session.runtime.cwd, caFile) });
    }
    messages.done(`Logged in to ${target}`);
    await storeDefaultOrg(session, org, orgs);
    const { found } = session.findTokenSource();
    if (found && found.token !== token) messages.warn(`the token of ${found.source} is used before this one`);
  },
});

async function readToken(session: Session, { origin }: URL): Promise<string> {
  if (session.runtime.stdin.isTTY !== true) return parseToken((await readInput(session, '-')).text, 'stdin');
  if (!session.prompts.canAsk())
    throw new UsageError("can't prompt for a token", { hint: 'Pipe it in: `orgctl auth login < token`' });
  session.messages.note(`Create a token at ${origin}/app/settings/tokens if you have none.`);
  return parseToken(await session.prompts.secret(`Token for ${origin} (input is hidden):`), 'the token');
}

/** A token of a team or an organization may not list memberships. */
async function listActiveNames(client: Client): Promise<string[]> {
  const own = (await catchNotFound(listOwnOrganizations(client), isRefused)) ?? [];
  return own.filter(({ status }) => status === 'active').map(({ name }) => name);
}

function findOrg(named: string, orgs: string[]): string {
  const found = orgs.find((name) => isSameName(name, named));
  if (found === undefined && orgs.length > 0) {
    throw new OrgctlError('not-found', `you are not a member of ${named}`, {
      hint: suggest(named, orgs) ?? `Your organizations: ${joinNames(orgs)}. Nothing was stored.`,
    });
  }
  return found ?? named;
}

async function storeDefaultOrg(session: Session, named: string | undefined, orgs: string[]): Promise<void> {
  const { store, profile, prompts, messages } = session;
  if (orgs.length > 1) messages.note(`Your organizations: ${joinNames(orgs)}`);
  if (named === undefined && orgs.some((name) => isSameName(name, String(profile.settings.org)))) return;
  let chosen = named ?? (orgs.length === 1 ? orgs[0] : undefined);
  if (chosen === undefined && orgs.length > 1 && prompts.canAsk()) {
    chosen = await prompts.select('Default organization', orgs);
  }
  if (chosen === undefined) {
    return messages.note('Choose a default organization with `orgctl settings set org <name>`.');
  }
  await store.writeSettings(profile.name, { org: chosen });
  messages.done(`${chosen} is the default organization`);
}
