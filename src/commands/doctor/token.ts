import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { type Finding, failed, failedBy, ok } from './finding.ts';

const CHECK = 'token';

/** Where the token comes from. Never the token. */
export function examineToken({ identity }: Context): {
  readonly found: boolean;
  readonly findings: readonly Finding[];
} {
  if (identity.isSandbox) return { found: true, findings: [ok(CHECK, 'one of the sandbox’s own')] };
  try {
    const choice = identity.findToken();
    if (choice.found) return { found: true, findings: [ok(CHECK, `${choice.source}, for ${choice.origin}`)] };
    const detail = [`there is none for ${identity.serviceOrigin()}`, ...choice.reasons].join('; ');
    const fix = 'Set ORGCTL_TOKEN, or store a token with auth login. To try orgctl without an account, add --sandbox.';
    return { found: false, findings: [failed(CHECK, 'not-authenticated', detail, fix)] };
  } catch (error) {
    if (error instanceof UsageError) return { found: false, findings: [failedBy(CHECK, error)] };
    throw error;
  }
}
