/** The topics of `orgctl help`, apart from their texts, which are loaded when one is asked for. */
export const TOPIC_NAMES = [
  'jobs',
  'output',
  'exit-codes',
  'environment',
  'rotation',
  'files',
  'sandbox',
  'agents',
] as const;

export type TopicName = (typeof TOPIC_NAMES)[number];
