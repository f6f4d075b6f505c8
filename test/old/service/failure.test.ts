import { AssertionError } from 'node:assert';
import { describe, expect, it } from 'vitest';
import { isOwnFault } from '../../../src/old/service/failure.ts';

const coded = (code: string | undefined, name = 'Error') => Object.assign(new Error('x'), { name, code });

describe('an exception in the transport', () => {
  it.each([
    ['of a wrong call', new TypeError('this.connect is not a function')],
    ['of a wrong value', new RangeError('out of range')],
    ['without a code', new Error('anything')],
    ['that undici was called wrongly', coded('UND_ERR_INVALID_ARG')],
  ])('%s is a mistake in orgctl, whenever it comes', (_name, error) => {
    expect([isOwnFault(error, false), isOwnFault(error, true)]).toEqual([true, true]);
  });

  it.each(['ECONNRESET', 'EAI_AGAIN', 'CERT_HAS_EXPIRED', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED', 'UND_ERR_DESTROYED'])(
    "%s is the network's",
    (code) => {
      expect([isOwnFault(coded(code), false), isOwnFault(coded(code), true)]).toEqual([false, false]);
    },
  );

  it("of undici's parser is the answer's, which has no code", () => {
    expect(isOwnFault(coded(undefined, 'HTTPParserError'), true)).toBe(false);
  });

  it.each([
    ['an assertion', new AssertionError({ message: 'false == true' })],
    ['an assertion that Node cannot explain', new SyntaxError('Unexpected token')],
  ])("of %s is the answer's once the request has left", (_name, error) => {
    expect([isOwnFault(error, false), isOwnFault(error, true)]).toEqual([true, false]);
  });
});
