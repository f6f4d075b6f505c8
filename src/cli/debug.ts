import type { Exchange } from '../api/http.ts';
import { parseJson } from '../lib/json.ts';
import type { Redactor } from '../lib/redact.ts';
import type { Messages } from '../output/messages.ts';

export function printExchange(
  { request, milliseconds, response, error }: Exchange,
  { messages, redactor, hasBodies }: { messages: Messages; redactor: Redactor; hasBodies: boolean },
): void {
  const printBody = (mark: string, body: string | undefined): void => {
    if (!hasBodies || !body) return;
    const value = parseJson(body);
    // A broken document may hold a secret that the redactor can't find.
    messages.debug(
      `  ${mark} ${value === undefined ? `${body.length} characters that are not JSON` : JSON.stringify(redactor.json(value))}`,
    );
  };
  const id = response?.request.id;
  const result = response
    ? `${response.status} (${milliseconds} ms${id ? `, request ${id}` : ''})`
    : `${error?.message} (${milliseconds} ms)`;
  const address = request.isAnonymous ? `${request.url.origin}/…` : request.url.href;
  messages.debug(`debug: ${request.method} ${address}: ${result}`);
  printBody('>', request.body);
  // The answer has the secret, under whatever name.
  const isNewToken = request.method === 'POST' && /\/authentication-tokens?$/.test(request.url.pathname);
  if (!isNewToken) printBody('<', response?.text);
}
