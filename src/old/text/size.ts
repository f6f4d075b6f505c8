const UNITS = ['KiB', 'MiB', 'GiB'];

/** `12.4 MiB`, as people read it; below a KiB `812 bytes`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const power = Math.min(UNITS.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power - 1]}`;
}
