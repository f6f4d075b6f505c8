import type { Context } from '../context/context.ts';
import { isThere } from '../files/look.ts';
import { changeToken } from '../rotation/record.ts';
import type { Service } from '../service/service.ts';
import { toReplaced } from './find-token.ts';
import { openTokenState } from './token-state.ts';

/** The audit trail token, to be deleted: what is kept of it here is forgotten with it. */
export async function openDeletion(context: Context, service: Service) {
  const { identity, screen, services } = context;
  const state = openTokenState(context);
  const reader = state.createReader(service);
  const metadata = await reader.read();
  // Where none is shown, only the deletion itself can say whether there was one.
  const present = metadata.kind === 'found' ? metadata.document : undefined;
  return {
    present,
    /** The service has the route, and no token. */
    isAbsent: metadata.kind === 'absent',
    /** Reads it again. Throws where another one is there by now, or none. */
    async check(): Promise<void> {
      const now = await reader.read();
      if (now.kind !== 'found' && present !== undefined) throw now.refusal;
      if (now.kind === 'found' && now.document.data.id !== present?.data.id) {
        throw toReplaced(identity.organization(), { kind: 'audit-trail', description: null });
      }
    },
    /** False in a dry run. */
    async delete(effect: string): Promise<boolean> {
      const act = (): Promise<boolean> => service.auditTokens.delete(identity.organization(), present?.data.id, effect);
      const isRemembered = !services.dryRun && isThere(state.journal.path);
      return await (isRemembered
        ? state.hold(() => changeToken(state.journal, reader.isShown(), screen.warn, act))
        : act());
    },
  };
}
