/** The kinds of service that the sandbox can be, and what differs between them. */

const KINDS = ['document', 'hosted', 'enterprise'] as const;

export type ServiceKind = (typeof KINDS)[number];
export const SERVICE_KINDS: readonly ServiceKind[] = KINDS;

export interface Rules {
  readonly kind: ServiceKind;
  /** Whether every route outside the service's document is 404. */
  readonly documentOnly: boolean;
  /** Every answer has these; none where the sandbox keeps to the service's document. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the path of the audit trail token, without `token=audit-trails`, is that of the organization's own token. */
  readonly hasGeneralToken: boolean;
  /** Whether `token=audit-trails` counts; else that path is always the organization's own token's. */
  readonly hasAuditTokens: boolean;
  /** Whether a token may be asked for with any `data.type`, or without one. */
  readonly takesAnyTokenType: boolean;
  /** Years until a token ends that was asked for without an end; undefined where it never ends. */
  readonly tokenYears: number | undefined;
  /** Whether people can be invited into no team. */
  readonly invitesWithoutTeams: boolean;
  /** Whether what the plan lacks cannot be used: an audit trail token without audit logging is 404. */
  readonly appliesPlans: boolean;
  /** The plan of an organization that a request creates, by its identifier. */
  readonly firstPlan: 'standard' | 'free';
  /** Whether secret teams are hidden from members who are in none of them. */
  readonly hidesSecretTeams: boolean;
  /** Whether a team with an access that cannot be given is created nonetheless, without it. */
  readonly keepsRefusedTeams: boolean;
}

const API = { 'TFP-API-Version': '2.6' } as const;

const DOCUMENT: Rules = {
  kind: 'document',
  documentOnly: false,
  headers: { ...API, 'TFP-AppName': 'HCP Terraform' },
  hasGeneralToken: true,
  hasAuditTokens: true,
  takesAnyTokenType: false,
  tokenYears: undefined,
  invitesWithoutTeams: false,
  appliesPlans: false,
  firstPlan: 'standard',
  hidesSecretTeams: false,
  keepsRefusedTeams: false,
};

/** Assumed, with the next: what is publicly known of the service, where its document says otherwise or nothing. */
const HOSTED: Rules = {
  ...DOCUMENT,
  kind: 'hosted',
  takesAnyTokenType: true,
  tokenYears: 2,
  invitesWithoutTeams: true,
  appliesPlans: true,
  firstPlan: 'free',
  hidesSecretTeams: true,
  keepsRefusedTeams: true,
};

const ENTERPRISE: Rules = {
  ...HOSTED,
  kind: 'enterprise',
  headers: {
    ...API,
    'TFP-AppName': 'Terraform Enterprise',
    'X-TFE-Version': 'v202604-1',
    'X-TFE-Current-Version': '2.0.0',
  },
  hasAuditTokens: false,
  appliesPlans: false,
};

export function toRules(kind: ServiceKind, documentOnly: boolean): Rules {
  const rules = { document: DOCUMENT, hosted: HOSTED, enterprise: ENTERPRISE }[kind];
  return documentOnly ? { ...rules, documentOnly, headers: {}, hasGeneralToken: false } : rules;
}
