/** The parts of orgctl that tests use without the command line. Built from the same chunks as the shipped files, and not shipped. */
export { ServiceError } from '../../src/old/errors.ts';
export { createExplain } from '../../src/old/service/diagnosis/explain.ts';
export { createService } from '../../src/old/service/service.ts';
export { createTransport } from '../../src/old/service/transport.ts';
export { openSandbox, parseSeed, SandboxInputError, SandboxStateError } from '../../src/sandbox/sandbox.ts';
export { serveSandbox } from '../../src/sandbox/server.ts';
