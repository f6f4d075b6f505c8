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

const PROVIDERS = {
  description: 'The providers that the organization lists.',
  type: 'array',
  items: {
    description: 'hashicorp/aws, private/billing, or registry/namespace/name.',
    type: 'string',
    pattern: '^[^/\\s]+(?:/[^/\\s]+){0,2}$',
  },
  uniqueItems: true,
} as const;

/** The JSON Schema of a list of providers, for editors: draft 7, the newest that all of them know. */
export const PROVIDER_LIST_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Providers of organizations',
  description: 'The providers of one organization, or of several.',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    providers: PROVIDERS,
    organizations: {
      description: 'The organizations by name, each with its list.',
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['providers'],
        additionalProperties: false,
        properties: { providers: PROVIDERS },
      },
    },
  },
  oneOf: [{ required: ['providers'] }, { required: ['organizations'] }],
} as const;
