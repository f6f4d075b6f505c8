import which from 'which';

/** Whether a program is installed, by its name or path. If not, stderr says what is lost. */
export function isInstalled(program: string, lost: string): boolean {
  if (which.sync(program, { nothrow: true }) !== null) return true;
  process.stderr.write(`\n*** ${program} IS NOT INSTALLED: ${lost} ***\n\n`);
  return false;
}
