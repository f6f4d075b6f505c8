import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context.ts';
import { refuseEnterprise, refuseEvidence } from '../../service/enterprise.ts';
import { AUTHENTICATION_TOKENS } from '../../wire/resources.ts';
import { addExamples } from '../options.ts';
import { REMOVAL_VIEW } from '../views/changes.ts';

interface Flags {
  readonly allowEnterprise?: boolean;
}

export function registerDelete(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('delete')
    .alias('rm')
    .description('delete the token; what uses it stops working at once')
    .option(
      '--allow-enterprise',
      'go on although the service is Terraform Enterprise, where this deletes the main token',
    );
  addExamples(verb, [
    { command: 'orgctl audit-token delete --org acme --dry-run', shows: 'what would be sent, without sending it' },
    { command: 'orgctl audit-token delete --org acme --yes', shows: 'delete without being asked' },
  ]).action(async function (this: Command, flags: Flags) {
    await deleteAuditToken(open(this), flags.allowEnterprise === true);
  });
}

async function deleteAuditToken(context: Context, allowEnterprise: boolean): Promise<void> {
  const organization = context.organization();
  const output = await context.output();
  output.checkFields(REMOVAL_VIEW);
  const service = await context.service();
  await refuseEnterprise(service, organization, allowEnterprise);
  // A service without this route answers 404 too: then only the deletion itself can tell.
  const present = await service.auditTokens.find(organization);
  refuseEvidence(service, organization, allowEnterprise);
  await context.confirm({
    act: `deleting the audit trail token of ${organization}`,
    consequences: [
      `What reads the audit trail of ${organization} with this token stops working at once.`,
      'Without the audit logging entitlement no new one can be made.',
    ],
    typed: organization,
  });
  if (!(await service.auditTokens.delete(organization, present !== undefined))) return;
  await output.changed(REMOVAL_VIEW, {
    resource: { type: AUTHENTICATION_TOKENS, id: present?.data.id ?? '' },
    extra: present === undefined ? { id: null, changed: true } : { changed: true },
  });
}
