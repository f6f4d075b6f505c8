// Which branches of src the tests take, floor by floor: `npm run coverage -- [vitest's arguments]`.
// Processes of their own, as of the end-to-end tests, are not measured; those tests are left out.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TOP_FLOOR = ['main.ts', 'program.ts', 'nouns.ts', 'man-pages.ts'];

const folder = mkdtempSync(join(tmpdir(), 'orgctl-coverage-'));
try {
  const report = ['reporter=json-summary', `reportsDirectory=${folder}`, 'reportOnFailure', 'enabled'];
  const flags = ['--exclude=test/e2e/**', '--reporter=dot', ...report.map((option) => `--coverage.${option}`)];
  const vitest = [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--config', '.config/vitest.config.ts'];
  const { status } = spawnSync(process.execPath, [...vitest, ...flags, ...process.argv.slice(2)], {
    cwd: ROOT,
    env: { ...process.env, ORGCTL_TEST_SOURCES: '1' },
    stdio: ['ignore', 2, 2],
  });
  process.exitCode = status ?? 1;
  print(JSON.parse(readFileSync(join(folder, 'coverage-summary.json'), 'utf8')));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** One line a floor, and the files with the most branches that no test takes. */
function print({ total, ...byFile }) {
  const floors = new Map();
  const files = Object.entries(byFile).map(([path, { branches }]) => ({ path: relative(ROOT, path), branches }));
  for (const { path, branches } of files) {
    const floor = toFloor(path);
    const { covered, total: all } = floors.get(floor) ?? { covered: 0, total: 0 };
    floors.set(floor, { covered: covered + branches.covered, total: all + branches.total });
  }
  for (const [floor, branches] of [...floors].sort(([one], [other]) => (one < other ? -1 : 1))) {
    process.stdout.write(`${floor.padEnd(12)} ${tell(branches)}\n`);
  }
  process.stdout.write(`${'all'.padEnd(12)} ${tell(total.branches)}\n\nMost branches not taken:\n`);
  const missed = ({ branches }) => branches.total - branches.covered;
  for (const { path, branches } of files.sort((one, other) => missed(other) - missed(one)).slice(0, 10)) {
    process.stdout.write(`  ${path} ${tell(branches)}\n`);
  }
}

/** A folder is a floor; of the files beside them some are the ground, the others stand on top. */
function toFloor(path) {
  const [, name, ...deeper] = path.split(sep);
  if (deeper.length > 0) return name === 'wire' ? 'ground' : name;
  return TOP_FLOOR.includes(name) ? 'top floor' : 'ground';
}

function tell({ covered, total }) {
  const share = total === 0 ? 100 : (100 * covered) / total;
  return `${share.toFixed(1).padStart(5)} % of ${total} branches`;
}
