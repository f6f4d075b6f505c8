import type { PeerCertificate } from 'node:tls';

// Milliseconds. The failure is known already: this only explains it.
const PATIENCE = 3_000;

/**
 * What the certificate of a server says of itself, in one line; undefined when it cannot be seen. Connects without
 * trusting anything, sends nothing, and hangs up.
 */
export async function describeCertificate(url: URL, signal: AbortSignal): Promise<string | undefined> {
  const [tls, { isIP }] = await Promise.all([import('node:tls'), import('node:net')]);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return await new Promise((resolve) => {
    const socket = tls.connect({
      host,
      port: url.port === '' ? 443 : Number(url.port),
      rejectUnauthorized: false,
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    const finish = (description: string | undefined): void => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(description);
    };
    const giveUp = (): void => finish(undefined);
    signal.addEventListener('abort', giveUp, { once: true });
    socket.setTimeout(PATIENCE, giveUp);
    socket.once('secureConnect', () => finish(describe(socket.getPeerCertificate())));
    socket.on('error', giveUp);
  });
}

function describe({ subject, subjectaltname, issuer, valid_from: from, valid_to: to }: PeerCertificate): string {
  const names = subjectaltname?.replaceAll('DNS:', '').replaceAll('IP Address:', '') ?? nameOf(subject);
  return `the certificate is for ${names}, issued by ${nameOf(issuer)}, valid from ${from} to ${to}`;
}

function nameOf(name: PeerCertificate['issuer'] | undefined): string {
  const parts = [name?.CN, name?.O].flatMap((part) => part ?? []);
  return parts.length === 0 ? 'somebody without a name' : parts.join(', ');
}
