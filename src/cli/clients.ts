import { Client } from '../api/client.ts';
import type { Exchange } from '../api/http.ts';
import { createWriteLog } from '../api/write-log.ts';
import type { Settings } from '../config/resolve.ts';
import { formatReason } from '../lib/errors.ts';
import type { Redactor } from '../lib/redact.ts';
import { type Runtime, readVariable } from '../lib/runtime.ts';
import type { Messages } from '../output/messages.ts';
import { connect, type Endpoint } from './connect.ts';
import { printExchange } from './debug.ts';
import type { Spinner } from './spinner.ts';

interface ClientsOptions {
  runtime: Runtime;
  settings: Settings;
  redactor: Redactor;
  version: string;
  signal: AbortSignal;
  messages: Messages;
  spinner: Spinner;
  isDryRun: boolean;
  readOnly: string | undefined;
  hidesBodies: boolean;
}

/** Opens clients with the settings of the session. `findEndpoint` is called before the first request. */
export function createClients(options: ClientsOptions) {
  const { settings, messages, redactor, spinner, hidesBodies } = options;
  const opened: Client[] = [];
  const onExchange = (exchange: Exchange): void => {
    if (!settings.debug.value) return;
    try {
      printExchange(exchange, { messages, redactor, hasBodies: !hidesBodies });
    } catch (error) {
      // What is shown must not change what happens.
      messages.debug(`debug: an exchange can't be shown: ${formatReason(error)}`);
    }
  };
  return {
    open(findEndpoint: () => Promise<Endpoint>): Client {
      const client = new Client({
        connect: async () => connect(await findEndpoint(), { ...options, onExchange }),
        runtime: options.runtime,
        signal: options.signal,
        timeout: settings.timeout.value,
        maxRetries: settings['max-retries'].value,
        isDryRun: options.isDryRun,
        readOnly: options.readOnly,
        writeLog: openWriteLog(options),
        onProgress: (text) => spinner.show(text),
      });
      opened.push(client);
      return client;
    },
    async close(): Promise<void> {
      for (const client of opened) await client.close();
    },
  };
}

function openWriteLog({ runtime, redactor, messages }: ClientsOptions) {
  const path = readVariable(runtime.env, 'ORGCTL_LOG_FILE');
  if (path === undefined) return undefined;
  const { userName, machineName, pid, now } = runtime;
  return createWriteLog({
    path,
    author: { user: userName, host: machineName, pid },
    redactor,
    now,
    createId: () => Buffer.from(runtime.randomBytes(8)).toString('hex'),
    warn: messages.warn,
  });
}
