import { toYamlText } from '../input/yaml-text.ts';
import {
  type AddressContext,
  type ProviderAddress,
  toAddresses,
  toAddressKey,
  toAddressText,
} from '../resources/provider-address.ts';
import type { ListedProvider } from './plan.ts';

export interface OrganizationProviders {
  readonly organization: string;
  readonly providers: readonly ListedProvider[];
}

/**
 * A file that reads back as these providers, sorted, so that it changes only where they do. Of several organizations it names
 * each. Ends with a newline.
 */
export function renderProviderList(
  lists: readonly OrganizationProviders[],
  {
    isSeveral,
    serviceHost,
    kind,
  }: { readonly isSeveral: boolean; readonly serviceHost: string; readonly kind: 'yaml' | 'json' },
): string {
  const named = lists.map(({ organization, providers }) => ({
    organization,
    texts: providers.map(({ address }) => toShortText(address, { organization, serviceHost })).sort(),
  }));
  if (kind === 'json') {
    const value = isSeveral
      ? {
          organizations: Object.fromEntries(
            named.map(({ organization, texts }) => [organization, { providers: texts }]),
          ),
        }
      : { providers: named[0]?.texts ?? [] };
    return `${JSON.stringify(value, undefined, 2)}\n`;
  }
  if (!isSeveral) return renderTexts(named[0]?.texts ?? [], '');
  if (named.length === 0) return 'organizations: {}\n';
  return `organizations:\n${named
    .map(({ organization, texts }) => `  ${toYamlText(organization)}:\n${renderTexts(texts, '    ')}`)
    .join('')}`;
}

function renderTexts(texts: readonly string[], indent: string): string {
  if (texts.length === 0) return `${indent}providers: []\n`;
  return `${indent}providers:\n${texts.map((text) => `${indent}  - ${toYamlText(text)}\n`).join('')}`;
}

/** `hashicorp/aws`, `private/billing`: without what the organization says already, where that reads back as the same. */
function toShortText(address: ProviderAddress, context: AddressContext): string {
  const { registryName, namespace, name } = address;
  const whole = toAddressText(address);
  const short = registryName === 'private' ? `private/${name}` : `${namespace}/${name}`;
  try {
    const [read] = toAddresses([short], {}, context);
    return read !== undefined && toAddressKey(read.address) === toAddressKey(address) ? short : whole;
  } catch {
    return whole;
  }
}
