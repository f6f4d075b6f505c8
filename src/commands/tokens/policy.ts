import { getMember } from '../../json-object.ts';
import { toOrganization } from '../../resources/organization.ts';
import { toReading } from '../../service/pages.ts';
import type { Service } from '../../service/service.ts';
import { toTokenPolicy } from '../../service/token-policy.ts';
import type { Resource } from '../../wire/json-api.ts';
import { listEach, ORGANIZATIONS } from '../organizations.ts';
import { verb } from '../verb.ts';
import { TOKEN_POLICY_COLUMNS } from './columns.ts';

export const policy = verb({
  name: 'tokens policy',
  help: 'Show how long tokens may be valid at most, and whether the service enforces it',
  summary: 'Show how long tokens may be valid',
  effect: 'reads',
  options: ORGANIZATIONS,
  examples: ['orgctl tokens policy', 'orgctl tokens policy --all-orgs -o csv'],
  more: '\nOwners can change it with a request to the API. An example: orgctl help sandbox',
  columns: TOKEN_POLICY_COLUMNS,
  async run(context) {
    (await context.screen.output()).checkFields(TOKEN_POLICY_COLUMNS);
    await listEach(context, TOKEN_POLICY_COLUMNS, (service, organization) =>
      toReading(() => readPolicies(service, organization)),
    );
  },
});

async function readPolicies({ plans, tokens }: Service, organization: string): Promise<readonly Resource[]> {
  const [policies, shown] = await Promise.all([
    tokens.listPolicies(organization),
    plans.findOrganization(organization),
  ]);
  const isOn = getMember(shown?.attributes, 'max-ttl-enabled');
  return policies.map((one) => {
    const most = one.attributes?.['max-ttl-ms'];
    const { words, isDefault } = typeof most === 'number' && most > 0 ? toTokenPolicy(most) : NOT_SAID;
    // What the default does where policies are on is not known.
    const binds = typeof isOn !== 'boolean' || (isOn && isDefault !== false) ? null : isOn;
    return {
      ...one,
      attributes: { ...one.attributes, 'at-most': words, binds },
      relationships: { ...one.relationships, organization: { data: toOrganization(organization) } },
    };
  });
}

const NOT_SAID = { words: null, isDefault: undefined } as const;
