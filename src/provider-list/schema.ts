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
