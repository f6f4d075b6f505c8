// What is mutated under which name, and the tests that are meant to hold it: fast ones, and the front door only where
// nothing else stands before a part. Tests that start processes cannot tell: a mutant lives in this process alone.

export const MODULES = {
  permissions: {
    mutate: ['src/sandbox/permissions.ts'],
    tests: ['test/sandbox/permissions.test.ts', 'test/sandbox/teams.test.ts'],
  },
  operations: {
    mutate: ['src/service/operations.ts'],
    tests: ['test/service/problem.test.ts'],
  },
  retry: { mutate: ['src/service/retry.ts'], tests: ['test/service/retry.test.ts'] },
  pace: { mutate: ['src/service/pace.ts'], tests: ['test/service/pace.test.ts'] },
  pages: {
    mutate: ['src/service/page.ts', 'src/service/page-reading.ts', 'src/service/pages.ts'],
    tests: ['test/service/pages.test.ts'],
  },
  redact: {
    mutate: [
      'src/secrets/body.ts',
      'src/secrets/find.ts',
      'src/secrets/forms.ts',
      'src/secrets/stream.ts',
      'src/secrets/writing.ts',
    ],
    tests: ['test/secrets/body.test.ts', 'test/secrets/laws.test.ts', 'test/secrets/secrets.test.ts'],
  },
  precedence: {
    mutate: [
      'src/settings/environment.ts',
      'src/settings/stored-token.ts',
      'src/settings/profile.ts',
      'src/settings/resolve-settings.ts',
    ],
    tests: ['test/settings/resolve-settings.test.ts', 'test/settings/profile.test.ts'],
  },
  token: {
    mutate: ['src/settings/token.ts', 'src/settings/terraform-credentials.ts', 'src/files/private-file.ts'],
    tests: [
      'test/settings/token.test.ts',
      'test/settings/terraform-credentials.test.ts',
      'test/files/private-file.test.ts',
    ],
  },
  'expiry-check': {
    mutate: ['src/rotation/expiry-check.ts', 'src/rotation/verify.ts', 'src/rotation/current-token.ts'],
    tests: [
      'test/rotation/expiry-check.test.ts',
      'test/rotation/verify.test.ts',
      'test/rotation/current-token.test.ts',
    ],
  },
  'create-token': { mutate: ['src/rotation/create-token.ts'], tests: ['test/rotation/create-token.test.ts'] },
  'previous-run': { mutate: ['src/rotation/previous-run.ts'], tests: ['test/rotation/previous-run.test.ts'] },
  rotate: {
    mutate: ['src/rotation/rotate.ts', 'src/rotation/deliver.ts', 'src/rotation/journal-writer.ts'],
    tests: ['test/rotation/rotate.test.ts'],
  },
  journal: { mutate: ['src/rotation/journal.ts'], tests: ['test/rotation/journal.test.ts'] },
  recovery: {
    mutate: ['src/rotation/recovery.ts', 'src/settings/directories.ts'],
    tests: [
      'test/rotation/recovery.test.ts',
      'test/rotation/recovery-lock-journal-disk.test.ts',
      'test/settings/state-directory.test.ts',
    ],
  },
  lock: {
    mutate: ['src/files/process-lock.ts'],
    tests: ['test/rotation/lock.test.ts', 'test/rotation/recovery-lock-journal-disk.test.ts'],
  },
  'durable-file': {
    mutate: [
      'src/files/durable-file.ts',
      'src/files/permissions.ts',
      'src/files/read-file.ts',
      'src/files/replace-file.ts',
    ],
    tests: ['test/files/durable-file.test.ts', 'test/files/permissions.test.ts', 'test/files/private-file.test.ts'],
  },
};
