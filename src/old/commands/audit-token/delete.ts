import type { Context } from '../../context/context.ts';
import { OrgctlError } from '../../errors.ts';
import { toOrganization } from '../../resources/organization.ts';
import { findEvidence, refuseEnterprise, refuseEvidence } from '../../service/enterprise.ts';
import { describeToken } from '../../tokens/describe.ts';
import { openDeletion } from '../../tokens/open-deletion.ts';
import { AUDIT_TRAIL, MAIN, toNoun } from '../../tokens/which-token.ts';
import { AUTHENTICATION_TOKENS } from '../../wire/resources.ts';
import { allowEnterprise } from '../token-options.ts';
import { verb } from '../verb.ts';
import { DELETION_COLUMNS } from './columns.ts';

export const deletion = verb({
  name: 'audit-token delete',
  aliases: ['rm'],
  help: 'Delete the token; everything that uses it stops working',
  effect: 'writes',
  options: allowEnterprise('deletes'),
  examples: ['orgctl audit-token delete --dry-run', 'orgctl audit-token delete --yes'],
  columns: DELETION_COLUMNS,
  printsOne: true,
  run: (context, input) => deleteAuditToken(context, input.allowEnterprise),
});

async function deleteAuditToken(context: Context, allowed: boolean): Promise<void> {
  const { identity, screen, services, places } = context;
  const organization = identity.organization();
  const output = await screen.output();
  output.checkFields(DELETION_COLUMNS);
  const service = await services.current();
  await refuseEnterprise(service, organization, allowed);
  const { present, isAbsent, check, delete: act } = await openDeletion(context, service);
  refuseEvidence(service, organization, allowed);
  const isMain = findEvidence(service) !== undefined;
  const noun = toNoun(isMain ? MAIN : AUDIT_TRAIL);
  if (isAbsent && !services.dryRun && !identity.optionGiven('yes') && screen.canAsk()) {
    throw new OrgctlError('not-found', `${organization} has no ${noun}`, {
      hint: 'There is nothing to delete, unless you mean another organization.',
    });
  }
  await screen.confirm('delete audit token', {
    token: `${organization}'s ${noun}`,
    consequences: [
      isMain
        ? 'Everything that uses it stops working at once.'
        : `Everything that reads ${organization}'s audit trail with it stops working at once. Without audit logging you can't create a new one.`,
    ],
  });
  if (!services.dryRun) await check();
  const known = present === undefined ? '' : describeToken(present, places.host.now());
  const effect = `delete ${organization}'s ${noun}${known === '' ? '' : ` (${known})`}`;
  await act(effect);
  await output.changed(DELETION_COLUMNS, {
    resource: { type: AUTHENTICATION_TOKENS, id: present?.data.id ?? '' },
    extra: {
      ...(present === undefined ? { id: null } : {}),
      organization: toOrganization(organization),
      changed: true,
    },
  });
}
