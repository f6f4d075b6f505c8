/** Which columns of a table a terminal has room for, and how wide each is. Widths are in columns of the terminal. */

/** Blanks between two columns. */
export const GAP = 2;
/** A column that takes several lines gets at least this. */
const NARROWEST = 15;

export interface Measured {
  /** Of the longest cell, its head included. */
  readonly width: number;
  /** Of the longest word, for a column whose cells may take several lines. */
  readonly word?: number;
  /** 0 always stays; of the others the highest is left out first, and infinity before any cell is broken. */
  readonly priority: number;
}

export interface Layout {
  /** Which columns, by number. */
  readonly shown: readonly number[];
  /** The width of each column that is shown. */
  readonly widths: readonly number[];
}

/** Undefined where not even what identifies has room. */
export function layOut(columns: readonly Measured[], available: number): Layout | undefined {
  const all = columns.map((column, index) => ({ ...column, index, least: toLeast(column) }));
  const isRoomy = columns.reduce((sum, { width }) => sum + width + GAP, -GAP) <= available;
  let shown = isRoomy ? all : all.filter(({ priority }) => priority !== Number.POSITIVE_INFINITY);
  const toTotal = () => shown.reduce((sum, { least }) => sum + least + GAP, -GAP);
  while (toTotal() > available) {
    const last = shown.reduce((worst, one) => (one.priority >= worst.priority ? one : worst), {
      priority: 1,
      index: -1,
    });
    if (last.index === -1) return undefined;
    shown = shown.filter(({ index }) => index !== last.index);
  }
  return { shown: shown.map(({ index }) => index), widths: widen(shown, available - toTotal()) };
}

/** Gives what room is left to the columns that would take more, from the one that needs least. */
function widen(
  columns: readonly { readonly width: number; readonly least: number }[],
  room: number,
): readonly number[] {
  const widths = columns.map(({ least }) => least);
  const narrow = [...columns.keys()]
    .map((index) => ({ index, missing: (columns[index]?.width ?? 0) - (widths[index] ?? 0) }))
    .filter(({ missing }) => missing > 0)
    .sort((one, other) => one.missing - other.missing);
  let left = room;
  narrow.forEach(({ index, missing }, place) => {
    const more = Math.min(missing, Math.floor(left / (narrow.length - place)));
    widths[index] = (widths[index] ?? 0) + more;
    left -= more;
  });
  return widths;
}

function toLeast({ width, word }: Measured): number {
  return word === undefined ? width : Math.min(width, Math.max(NARROWEST, word));
}
