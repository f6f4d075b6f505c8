import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { changeToken } from '../../rotation/record.ts';
import { refuseEnterprise, refuseEvidence } from '../../service/enterprise.ts';
import { AUTHENTICATION_TOKENS } from '../../wire/resources.ts';
import { addEnterpriseOption, addExamples, type EnterpriseFlags, REMOVAL_COLUMNS } from '../options.ts';
import { openTokenState } from './token-state.ts';

export function registerDelete(noun: Command, open: OpenContext): void {
  const verb = noun.command('delete').alias('rm').description('delete the token; what uses it stops working at once');
  addExamples(addEnterpriseOption(verb, 'deletes'), {
    'orgctl audit-token delete --org acme --dry-run': 'what would be sent, without sending it',
    'orgctl audit-token delete --org acme --yes': 'delete without being asked',
  }).action((flags: EnterpriseFlags) => deleteAuditToken(open(verb), flags.allowEnterprise === true));
}

async function deleteAuditToken(context: Context, allowEnterprise: boolean): Promise<void> {
  const { identity, screen, services } = context;
  const organization = identity.organization();
  const output = await screen.output();
  output.checkFields(REMOVAL_COLUMNS);
  const service = await services.current();
  const state = openTokenState(context);
  await refuseEnterprise(service, organization, allowEnterprise);
  const reader = state.createReader(service);
  const metadata = await reader.read();
  // Where none is shown, only the deletion itself can say whether there was one.
  const present = metadata.kind === 'found' ? metadata.document : undefined;
  refuseEvidence(service, organization, allowEnterprise);
  await screen.confirm({
    question: `Type "${organization}" to delete its audit trail token:`,
    consequences: [
      `Everything that reads ${organization}'s audit trail with it stops working at once. Without audit logging you can't create a new one.`,
    ],
    typed: organization,
  });
  const act = (): Promise<boolean> => service.auditTokens.delete(organization, present !== undefined);
  const isRemembered = !services.dryRun && existsSync(state.journal.path);
  await (isRemembered ? state.hold(() => changeToken(state.journal, reader.isShown(), screen.warn, act)) : act());
  if (services.dryRun) return;
  await output.changed(REMOVAL_COLUMNS, {
    resource: { type: AUTHENTICATION_TOKENS, id: present?.data.id ?? '' },
    extra: present === undefined ? { id: null, changed: true } : { changed: true },
  });
}
