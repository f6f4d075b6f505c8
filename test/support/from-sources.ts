import process from 'node:process';

/** Whether tests run the sources in place of the built orgctl: only coverage and mutation do, which look into sources. */
export const FROM_SOURCES = process.env['ORGCTL_TEST_SOURCES'] === '1';
