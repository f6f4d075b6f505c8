import { ConnectionError, type OrgctlError, ServiceError } from './errors.ts';
import { EXIT_CODES } from './exit-codes.ts';
import type { Host } from './host.ts';
import { toPlainJson, toPlainText } from './output/plain-text.ts';
import { createWriter } from './output/write.ts';
import { redactBody, redactText } from './service/redact.ts';
import type { Exchange, Method } from './service/transport.ts';

/** Everything orgctl says on stderr: as text for people, as JSON lines where the results are JSON. */
export interface Reporter {
  /** From now on this text is never shown, wherever it stands. */
  hide(secret: string): void;
  /** Chatter: left out by --quiet. */
  note(text: string): void;
  warn(text: string): void;
  /** A write that a dry run kept from leaving. */
  planned(write: { readonly method: Method; readonly url: string; readonly body: string | undefined }): void;
  /** One exchange, for --debug, without its secrets. */
  exchange(exchange: Exchange): void;
  error(error: OrgctlError): void;
}

export interface ReporterOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly debug: boolean;
}

export function createReporter(host: Host, options: ReporterOptions): Reporter {
  const stderr = createWriter(host.stderr);
  const secrets: string[] = [];
  const write = (text: string): void => {
    // Nobody is left to hear that nobody listens.
    stderr.write(`${redactText(text, secrets)}\n`).catch(() => undefined);
  };
  const say = (kind: 'note' | 'warning', text: string): void =>
    write(
      options.json
        ? toPlainLine({ [kind]: { message: text } })
        : `${kind === 'warning' ? 'warning: ' : ''}${toPlainText(text)}`,
    );

  return {
    hide(secret) {
      secrets.push(secret);
    },
    note(text) {
      if (!options.quiet) say('note', text);
    },
    warn(text) {
      say('warning', text);
    },
    planned({ method, url, body }) {
      const parsed = body === undefined ? undefined : (JSON.parse(body) as unknown);
      if (options.json)
        write(toPlainLine({ planned: { method, url, ...(parsed === undefined ? {} : { body: parsed }) } }));
      else
        write(
          [
            `would send ${method} ${toPlainText(url)}`,
            ...(parsed === undefined ? [] : [toPlainJson(JSON.stringify(parsed, undefined, 2))]),
          ].join('\n'),
        );
    },
    exchange(exchange) {
      if (!options.debug) return;
      const lines = describeExchange(exchange, secrets);
      write(options.json ? toPlainLine({ debug: lines }) : lines.map(toPlainText).join('\n'));
    },
    error(error) {
      write(options.json ? toPlainLine(toErrorObject(error)) : describeError(error));
    },
  };
}

/** The error as one object: what `-o json` prints last on stderr. */
function toErrorObject(error: OrgctlError): object {
  const items = error.items.map(({ item, error: failure }) => ({ item, ...toErrorMembers(failure) }));
  return { error: { ...toErrorMembers(error), ...(items.length === 0 ? {} : { items }) } };
}

function toErrorMembers(error: OrgctlError): object {
  const answered = error instanceof ServiceError ? error : undefined;
  const request = error instanceof ServiceError || error instanceof ConnectionError ? error.request : undefined;
  return {
    code: error.code,
    exit: EXIT_CODES[error.exit].code,
    message: error.message,
    ...(error.reasons.length === 0 ? {} : { reasons: error.reasons }),
    ...(answered === undefined ? {} : { status: answered.status, errors: answered.errors }),
    ...(request === undefined ? {} : { request }),
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.next.length === 0 ? {} : { next: error.next }),
  };
}

function describeError(error: OrgctlError): string {
  const id = error instanceof ServiceError || error instanceof ConnectionError ? error.request.id : undefined;
  return [
    `orgctl: ${toPlainText(error.message)}`,
    ...error.reasons.map((reason) => `  ${toPlainText(reason)}`),
    ...(error.hint === undefined ? [] : [`  → ${toPlainText(error.hint)}`]),
    ...error.next.map((command) => `  $ ${toPlainText(command)}`),
    ...(id === undefined ? [] : [`  request ${toPlainText(id)}`]),
  ].join('\n');
}

function describeExchange(
  { method, url, milliseconds, requestBody, result }: Exchange,
  secrets: readonly string[],
): string[] {
  const sent = requestBody === undefined ? [] : [`  > ${redactBody(requestBody, secrets)}`];
  if ('failure' in result) return [`debug: ${method} ${url}: ${result.failure} (${milliseconds} ms)`, ...sent];
  const id = result.headers['x-request-id'];
  return [
    `debug: ${method} ${url}: ${result.status} (${milliseconds} ms${id === undefined ? '' : `, request ${id}`})`,
    ...sent,
    ...(result.body === '' ? [] : [`  < ${redactBody(result.body, secrets)}`]),
  ];
}

/** One line of JSON that is harmless on a terminal too. */
function toPlainLine(value: unknown): string {
  return toPlainJson(JSON.stringify(value));
}
