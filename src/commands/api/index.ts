import { createRawCall, METHODS, readAllRaw, readRawText } from '../../api/raw-request.ts';
import { defineVerb } from '../../cli/command.ts';
import { argument, collect, option } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { OrgctlError, UsageError } from '../../lib/errors.ts';
import { readInput } from '../../lib/input.ts';
import { parseJson } from '../../lib/json.ts';
import { sanitizeJson } from '../../lib/text.ts';

export const verb = defineVerb({
  hidesBodies: true,
  formats: ['-o json', '--query'],
  arguments: [
    argument('<method>', `${METHODS.join(', ')}; GET if left out`, { complete: () => METHODS }),
    argument('[path]', 'below the base URL; {org} is the organization'),
  ],
  options: [
    option('-f, --field <key=value>', 'a query parameter (repeatable)', { parse: collect }),
    option('--input <file>', 'the body, as JSON; - is stdin'),
    option('--all', 'read every page of a list into one document'),
  ],
  examples: [
    'api account/details',
    'api organizations/{org}/teams --all',
    'api POST organizations/acme/teams --input team.json',
  ],
  async run(session, options, first, second) {
    const { client, messages, output } = session;
    const { field = [], input, all } = options;
    const method = second === undefined ? 'GET' : METHODS.find((known) => known === first.toUpperCase());
    if (!method) throw new UsageError(`unknown method '${first}'`, { hint: `Methods are ${METHODS.join(', ')}.` });
    if (method === 'GET' && input !== undefined)
      throw new UsageError('GET has no body', { hint: 'Use -f for query parameters.' });
    if (method !== 'GET' && all) throw new UsageError('--all works only with GET');
    const path = (second ?? first).replaceAll('{org}', () => encodeURIComponent(session.org()));
    const baseUrl = new URL(session.settings['base-url'].value);
    const call = createRawCall(method, path, field.map(parseField), baseUrl);
    if (all) return printText(session, JSON.stringify(await readAllRaw(client, call, messages.warn)), options.query);
    if (method === 'GET') return printText(session, readRawText(await client.read(call)), options.query);
    const body = input === undefined ? undefined : (await readInput(session, input)).text;
    // The parser's message would repeat the text, which may hold a secret.
    if (body !== undefined && parseJson(body) === undefined) throw new UsageError('--input is not JSON');
    output.isOfWrite = true;
    const answer = await client.write(call, { body, read: readRawText });
    if (answer !== undefined) return printAnswer(session, answer, `${method} ${call.path}`, options.query);
    const planned = { method, path: call.path };
    if (output.isForPeople) messages.note(`Would send ${method} ${call.path}`);
    else await output.text(`${JSON.stringify({ planned })}\n`);
  },
});

function parseField(text: string): [name: string, value: string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw new UsageError(`-f takes key=value, not '${text}'`);
}

/** The answer may have a secret that no other answer shows. */
async function printAnswer(session: Session, text: string, request: string, query: string | undefined): Promise<void> {
  const { output, redactor } = session;
  const value = parseJson(text);
  const hasSecret = JSON.stringify(redactor.json(value)) !== JSON.stringify(value);
  const isMissed = hasSecret && query !== undefined && isEmpty(output.query(value));
  try {
    await printText(session, text, isMissed ? undefined : query);
  } catch (error) {
    if (!hasSecret || (error instanceof OrgctlError && error.code === 'query')) throw error;
    const why = error instanceof OrgctlError ? error.message : 'stdout is closed';
    throw new OrgctlError('not-delivered', `the answer to ${request} has a secret, which is lost: ${why}`, {
      cause: error,
    });
  }
  if (isMissed) throw new OrgctlError('failure', '--query finds nothing in the answer', { code: 'query' });
}

/** Whether a query has found nothing at all. */
function isEmpty(found: unknown): boolean {
  return found === null || found === '' || (typeof found === 'object' && Object.values(found).every(isEmpty));
}

/** Indents JSON for people. Programs get the text of the service. */
async function printText({ output }: Session, text: string, query: string | undefined): Promise<void> {
  const value = parseJson(text);
  if (query !== undefined || (value !== undefined && output.isForPeople)) {
    const found = query === undefined ? value : output.query(value);
    return output.secret(`${sanitizeJson(JSON.stringify(found, null, 2) ?? 'null')}\n`);
  }
  if (value === undefined) await output.secret(text);
  else await output.secret(`${sanitizeJson(text).trimEnd()}\n`);
}
