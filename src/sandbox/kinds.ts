export const SERVICE_KINDS = ['document', 'hosted', 'enterprise'] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number];

export type Rules = typeof DOCUMENT;

const API = { 'TFP-API-Version': '2.6' };

const DOCUMENT = {
  kind: 'document' as ServiceKind,
  documentOnly: false,
  headers: { ...API, 'TFP-AppName': 'HCP Terraform' } as Record<string, string>,
  /** Whether the path of the audit trail token, without `token=audit-trails`, is that of the organization's own token. */
  hasGeneralToken: true,
  hasAuditTokens: true,
  takesAnyTokenType: false,
  /** Years until a token ends that was asked for without an end; undefined if it never ends. */
  tokenYears: undefined as number | undefined,
  invitesWithoutTeams: false,
  /** Whether an audit trail token needs audit logging in the plan. */
  appliesPlans: false,
  firstPlan: 'standard',
  hidesSecretTeams: false,
  /** Whether a team with an access that cannot be given is created nonetheless, without it. */
  keepsRefusedTeams: false,
};

/** What is publicly known of the service, also if its document says otherwise (facts). */
const HOSTED: Rules = {
  ...DOCUMENT,
  ...{ kind: 'hosted', takesAnyTokenType: true, tokenYears: 2, invitesWithoutTeams: true, appliesPlans: true },
  ...{ firstPlan: 'free', hidesSecretTeams: true, keepsRefusedTeams: true },
};

const VERSION = { 'X-TFE-Version': 'v202604-1', 'X-TFE-Current-Version': '2.0.0' };

const ENTERPRISE: Rules = {
  ...HOSTED,
  ...{ kind: 'enterprise', hasAuditTokens: false, appliesPlans: false },
  headers: { ...API, 'TFP-AppName': 'Terraform Enterprise', ...VERSION },
};

export function findRules(kind: ServiceKind, documentOnly: boolean): Rules {
  const rules = { document: DOCUMENT, hosted: HOSTED, enterprise: ENTERPRISE }[kind];
  return documentOnly ? { ...rules, documentOnly, headers: {}, hasGeneralToken: false } : rules;
}
