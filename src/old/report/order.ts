/** By code units, so that no locale decides. What there is none of comes last. */
export function compareTexts(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0;
  if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
  return one < other ? -1 : 1;
}
