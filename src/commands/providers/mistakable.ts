import { findEach } from '../../organizations/side-by-side.ts';
import { readProviders } from '../../provider-list/plan-providers.ts';
import { type ProviderAddress, toAddressText } from '../../resources/provider-address.ts';
import type { Service } from '../../service/service.ts';
import { joinNames } from '../../text/join.ts';

/** A name alone is that of a private provider; where a public one is called the same, that may be meant. */

export interface Bare {
  readonly organization: string;
  readonly address: ProviderAddress;
}

export interface Mistakable extends Bare {
  /** `aws can mean public/hashicorp/aws or private/acme/aws` */
  readonly finding: string;
  /** `acme lists public/hashicorp/aws.` */
  readonly reason: string;
}

/** Where Terraform looks for a name alone. */
const USUAL_NAMESPACE = 'hashicorp';

/** Of the names those that an organization has no private provider of, and that a public one has too. */
export async function findMistakable(service: Service, bare: readonly Bare[]): Promise<readonly Mistakable[]> {
  const organizations = [...new Set(bare.map(({ organization }) => organization))];
  const found = await findEach(organizations, async (organization) => {
    const mistakable: Mistakable[] = [];
    for (const { address } of bare.filter((one) => one.organization === organization)) {
      const name = address.name.toLowerCase();
      const alike = (await readProviders(service, organization, name))
        .map((listed) => listed.address)
        .filter((listed) => listed.name.toLowerCase() === name);
      if (alike.some(({ registryName }) => registryName === 'private')) continue;
      const usual = { registryName: 'public', namespace: USUAL_NAMESPACE, name } as const;
      const isListed = alike.length > 0;
      if (!isListed && !(await isPublished(service, usual))) continue;
      const meant = (isListed ? alike : [usual]).map(toAddressText);
      mistakable.push({
        organization,
        address,
        finding: `${address.name} can mean ${joinNames([...meant, toAddressText(address)], 'or')}`,
        reason: isListed
          ? `${organization} lists ${joinNames(meant)}.`
          : `The public registry has ${usual.namespace}/${name}.`,
      });
    }
    return mistakable;
  });
  // An organization that cannot be read cannot be changed either, and the change says why.
  return found.flatMap(({ value }) => value ?? []);
}

/** False also where that can't be read. */
async function isPublished({ listPublicVersions }: Service, { namespace, name }: ProviderAddress): Promise<boolean> {
  return await listPublicVersions(namespace, name).then(
    (versions) => versions.length > 0,
    () => false,
  );
}
