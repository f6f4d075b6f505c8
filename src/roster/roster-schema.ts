/**
 * The JSON Schema of a roster, for editors: draft 7, the newest that all of them know. It asks for one spelling where the
 * reader takes several.
 */
export const ROSTER_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'orgctl roster',
  description: 'The people of an organization, and their teams.',
  type: 'object',
  required: ['members'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    organization: { description: 'Which it is of: no other is planned or changed.', type: 'string', minLength: 1 },
    members: {
      description: 'Everyone, each once. Other people are left alone, or removed with --prune.',
      type: 'array',
      items: {
        type: 'object',
        anyOf: [{ required: ['email'] }, { required: ['user'] }, { required: ['id'] }],
        additionalProperties: false,
        properties: {
          email: {
            description: 'Compared without case. Only an email can be invited.',
            type: 'string',
            format: 'email',
            maxLength: 254,
          },
          user: { description: 'The user name, compared without case.', type: 'string', minLength: 1 },
          id: {
            description: 'Of the membership (ou-…) or the user (user-…).',
            type: 'string',
            pattern: '^(ou|user)-[A-Za-z0-9]+$',
          },
          teams: {
            description:
              'Names or ids (team-…). An invitation needs at least one. Without it teams stay as they are; [] means none.',
            type: 'array',
            items: { type: 'string', minLength: 1 },
            uniqueItems: true,
          },
        },
      },
    },
  },
} as const;
