export const SERVICE_KINDS = ['document', 'hosted', 'enterprise'] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number];

export type Rules = ReturnType<typeof findRules>;

export function findRules(kind: ServiceKind, documentOnly: boolean) {
  const isEnterprise = kind === 'enterprise';
  const name = isEnterprise ? 'Terraform Enterprise' : 'HCP Terraform';
  const versions = isEnterprise && { 'X-TFE-Version': 'v202604-1', 'X-TFE-Current-Version': '2.0.0' };
  return {
    kind,
    documentOnly,
    /** Whether the publicly known rules of the service apply, even where the document differs (facts). */
    isReal: kind !== 'document',
    headers: documentOnly ? {} : { 'TFP-API-Version': '2.6', 'TFP-AppName': name, ...versions },
    hasAuditTokens: !isEnterprise,
    /** Whether an audit trail token needs audit logging in the plan, and a new team another plan than the free one. */
    appliesPlans: kind === 'hosted',
  };
}
