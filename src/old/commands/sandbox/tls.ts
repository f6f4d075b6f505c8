import type { Tls } from '../../../sandbox/certificate.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { toReason, UsageError } from '../../errors.ts';
import { readPemPair } from '../../files/pem-pair.ts';
import { flag, text, type Values } from '../param.ts';

/** How `sandbox serve` comes to a certificate. */

export const TLS = {
  tls: flag('--tls', 'Speak TLS, with a certificate of its own for this machine, which is kept and used again'),
  tlsCert: text('--tls-cert <pem>', 'Speak TLS with this certificate, followed by those that signed it', {
    complete: 'files',
  }),
  tlsKey: text('--tls-key <pem>', 'The private key of --tls-cert', { complete: 'files' }),
};

/** `own`: with a certificate that is made where there is none yet. Undefined for plain HTTP. */
export type TlsChoice = Tls | 'own' | undefined;

/** Throws UsageError for a certificate or a key that cannot be used. */
export async function readTls({ tls, tlsCert, tlsKey }: Values<typeof TLS>): Promise<TlsChoice> {
  if (tls && (tlsCert !== undefined || tlsKey !== undefined)) {
    throw new UsageError('use --tls or --tls-cert, not both', { hint: '--tls makes a certificate of its own.' });
  }
  const both = 'Give both, --tls-cert and --tls-key, or --tls alone.';
  const [cert, key] = [
    { path: tlsCert, option: '--tls-cert' },
    { path: tlsKey, option: '--tls-key' },
  ] as const;
  return (await readPemPair(cert, key, { both })) ?? (tls ? 'own' : undefined);
}

interface ServerTls {
  readonly tls?: Tls;
  /** What clients have to trust; undefined where the certificate was given. */
  readonly authorityFile?: string;
}

/** `listen`: the name by which it is asked for, besides those of this machine. */
export async function openTls(sandbox: Sandbox, choice: TlsChoice, listen: string): Promise<ServerTls> {
  if (choice === undefined) return {};
  if (choice !== 'own') return { tls: choice };
  try {
    const { key, cert, authorityFile } = await sandbox.loadTls(listen);
    return { tls: { key, cert }, authorityFile };
  } catch (error) {
    throw new UsageError(`can't keep the certificate of the sandbox beside ${sandbox.info().state}`, {
      reasons: [toReason(error)],
      hint: 'Name another state with --state, or give a certificate with --tls-cert and --tls-key.',
      cause: error,
    });
  }
}
