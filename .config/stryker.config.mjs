// Read in a copy of the project, by test/mutation/mutation.mjs.
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: '.config/vitest.mutation.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // The copy is thrown away.
  inPlace: true,
  // It would be rewritten by a compiler that TypeScript 7 no longer is.
  tsconfigFile: 'none.json',
  // The tests wait for nothing; what takes longer goes in circles.
  timeoutMS: 3_000,
  concurrency: 2,
  allowConsoleColors: false,
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: 'mutation.json' },
};
