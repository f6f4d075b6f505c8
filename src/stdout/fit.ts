/** Fits a table to the width of a terminal. All widths are in columns of the terminal. */

/** Narrower than this, a column says nothing. */
const NARROWEST = 8;
/** A border and two blanks beside each column, and the last border. */
const beside = (count: number): number => 3 * count + 1;

export function toTableWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, beside(widths.length));
}

/**
 * The widths of a table no wider than `available`: the widest columns give way first, down to one width for all of them.
 * Undefined where that would leave too little of them.
 */
export function fitWidths(natural: readonly number[], available: number): readonly number[] | undefined {
  let room = available - beside(natural.length);
  let wide = natural.length;
  // From the narrowest: what a column leaves of its equal share, the wider ones may use.
  for (const width of [...natural].sort((one, other) => one - other)) {
    const share = Math.floor(room / wide);
    if (width > share) return share < NARROWEST ? undefined : natural.map((each) => Math.min(each, share));
    room -= width;
    wide -= 1;
  }
  return natural;
}

/** The text, or as many of its characters as fit with an ellipsis after them. Whole characters, however composed. */
export function truncate(text: string, width: number, toWidth: (text: string) => number): string {
  if (toWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    used += toWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
