/** The sandbox, which tests use without the command line. Built from the same chunks as the shipped files, and not shipped. */
export { openSandbox, parseSeed, SandboxInputError, SandboxStateError } from '../../src/sandbox/sandbox.ts';
export { serveSandbox } from '../../src/sandbox/server.ts';
