import { readAccountName } from '../../api/account.ts';
import type { HttpResponse } from '../../api/http.ts';
import { listOwnOrganizations, showOrganization } from '../../api/organizations.ts';
import { isLoopback } from '../../api/proxy.ts';
import { ping } from '../../api/tokens.ts';
import type { Session } from '../../cli/session.ts';
import { DEFAULT_SOURCE } from '../../config/resolve.ts';
import { createNoTokenError } from '../../config/token.ts';
import { formatInOneLine, isFailure, OrgctlError, ServiceError } from '../../lib/errors.ts';
import type { ExitName } from '../../lib/exit-codes.ts';
import { isSameName, joinNames, plural } from '../../lib/text.ts';
import { MINUTE } from '../../lib/time.ts';
import { findStatesFolder, listUnfinished } from '../../tokens/rotation-state.ts';

export interface CheckResult {
  result: 'ok' | 'attention' | 'failed';
  finding: string;
  fix?: string;
  /** Only if the check failed. */
  exit?: ExitName;
}

const ok = (finding: string): CheckResult => ({ result: 'ok', finding });
const attention = (finding: string, fix?: string): CheckResult => ({ result: 'attention', finding, fix });

interface Check {
  name: string;
  /** The name of a check that must succeed before this one runs. */
  needs?: string;
  run(session: Session): Promise<CheckResult>;
}

const CHECKS: Check[] = [
  { name: 'service', run: checkService },
  { name: 'token', needs: 'service', run: checkToken },
  { name: 'clock', needs: 'service', run: checkClock },
  { name: 'organization', needs: 'token', run: checkOrganization },
  { name: 'rotation', run: checkRotation },
  { name: 'settings', run: checkSettings },
];

/** Undefined if the service has no such route, or rejects the token. */
async function pingService(session: Session): Promise<HttpResponse | undefined> {
  const baseUrl = new URL(session.settings['base-url'].value);
  const hasToken = session.isSandbox || session.findTokenSource().found !== undefined;
  const client = hasToken ? session.client : session.openClient({ baseUrl, token: undefined });
  try {
    return await ping(client);
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) return undefined;
    throw error;
  }
}

async function checkService(session: Session): Promise<CheckResult> {
  const { 'base-url': baseUrl, 'insecure-skip-tls-verify': skipsTls } = session.settings;
  // The token may be for a service that only the file names.
  if (baseUrl.source === DEFAULT_SOURCE && !session.isSandbox) session.store.readConfig();
  const { headers = {} } = (await pingService(session)) ?? {};
  const version = headers['x-tfe-current-version'] ?? headers['x-tfe-version'];
  const name = version === undefined ? (headers['tfp-appname'] ?? 'a service') : `Terraform Enterprise ${version}`;
  if (session.isSandbox) return ok('the built-in sandbox');
  const finding = `${name} answers at ${baseUrl.value}`;
  const { protocol, hostname } = new URL(baseUrl.value);
  const isUnencrypted = protocol === 'http:' && !isLoopback(hostname);
  if (isUnencrypted) return attention(`${finding} without TLS`, 'Use https in the base URL.');
  if (!skipsTls.value) return ok(finding);
  return attention(`${finding}, and its certificate is not checked (${skipsTls.source})`, 'Use --ca-file instead.');
}

async function checkToken(session: Session): Promise<CheckResult> {
  const { client, isSandbox } = session;
  const choice = isSandbox ? undefined : session.findTokenSource();
  if (choice && !choice.found) throw createNoTokenError(choice, session.settings);
  const name = (await readAccountName(client)) ?? 'the service accepts it';
  return ok(choice?.found ? `${name} (from ${choice.found.source})` : name);
}

async function checkClock(session: Session): Promise<CheckResult> {
  const serviceTime = Date.parse((await pingService(session))?.headers.date ?? '');
  if (Number.isNaN(serviceTime)) return ok('the service does not send its time');
  const minutes = Math.round((session.runtime.now() - serviceTime) / MINUTE);
  if (Math.abs(minutes) <= 1) return ok('matches the service');
  const finding = `${plural(Math.abs(minutes), 'minute')} ${minutes > 0 ? 'ahead of' : 'behind'} the service`;
  return attention(finding, 'Set the clock of this machine.');
}

async function checkOrganization(session: Session): Promise<CheckResult> {
  const org = session.org();
  const found = (await listOwnOrganizations(session.client)).find(({ name }) => isSameName(name, org));
  if (found?.status === 'active') return ok(`${found.isOwner ? 'you are an owner' : 'you are a member'} of ${org}`);
  if (found) return attention(`you are invited to ${org}`, 'Accept the invitation in your email first.');
  await showOrganization(session.client, org);
  return ok(`your token can read ${org}`);
}

async function checkRotation({ runtime, settings, isSandbox }: Session): Promise<CheckResult> {
  const unfinished = listUnfinished(findStatesFolder(runtime, settings, isSandbox), runtime.user);
  if (unfinished.length === 0) return ok('no rotation is unfinished');
  return attention(`unfinished: ${joinNames(unfinished)}`, 'Run the same rotate command again: it finishes it.');
}

async function checkSettings({ settings, store, isSandbox }: Session): Promise<CheckResult> {
  // Both throw for a file that is damaged, or that others can change or read.
  store.readConfig();
  if (!isSandbox) store.listTokens();
  const { 'read-only': readOnly } = settings;
  return readOnly.value ? attention(`read-only mode is on (${readOnly.source})`) : ok('can be read');
}

/** Leaves out a check whose needed one failed. Throws signals, and errors that are bugs. */
export async function* runChecks(session: Session): AsyncGenerator<CheckResult & { check: string }> {
  const failures = new Set<string>();
  for (const { name, needs = '', run } of CHECKS) {
    if (failures.has(needs)) failures.add(name);
    else {
      const finding = await run(session).catch(async (error: unknown): Promise<CheckResult> => {
        const failure = error instanceof OrgctlError ? await session.explain(error) : error;
        if (!isFailure(failure)) throw failure;
        return { result: 'failed', finding: formatInOneLine(failure), fix: failure.hint, exit: failure.exit };
      });
      if (finding.result === 'failed') failures.add(name);
      yield { check: name, ...finding };
    }
  }
}
