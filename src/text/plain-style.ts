import type { Style } from './style.ts';

const asItIs = (text: string): string => text;

/** No colours, and nothing to load for it. */
export const PLAIN_STYLE: Style = {
  bold: asItIs,
  dim: asItIs,
  red: asItIs,
  green: asItIs,
  yellow: asItIs,
  cyan: asItIs,
};
