import process from 'node:process';

/** Whether tests run the sources instead of the built orgctl: only for coverage and mutation, which read sources. */
export const FROM_SOURCES = process.env['ORGCTL_TEST_SOURCES'] === '1';
