/** What of orgctl tests use below the command line. Built beside the shipped files, from the same chunks, and not shipped. */
export { ServiceError, UsageError } from '../../src/errors.ts';
export { openSandbox, parseSeed, SandboxInputError, SandboxStateError } from '../../src/sandbox/sandbox.ts';
export { serveSandbox } from '../../src/sandbox/server.ts';
export { explain } from '../../src/service/diagnosis/explain.ts';
export { createService } from '../../src/service/service.ts';
export { createTransport } from '../../src/service/transport.ts';
