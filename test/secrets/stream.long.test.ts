import { expect, test } from 'vitest';
import { createSecrets } from '../../src/secrets/secrets.ts';
import { FORMS, SECRETS } from '../support/forms.ts';
import { findPieces } from '../support/readings.ts';

test.each(FORMS)('a stream shows no secret %s, wherever it is cut in two', (_form, write) => {
  for (const secret of SECRETS) {
    const text = `before ${write(secret)} after\nnext\n`;
    const secrets = createSecrets(secret);
    const shown = new Set<string>();
    for (let at = 0; at <= text.length; at += 1) {
      const redactor = secrets.createRedactor();
      shown.add(redactor.push(text.slice(0, at)) + redactor.push(text.slice(at)) + redactor.flush());
    }
    for (const each of shown) {
      expect(findPieces(each, secret), each).toEqual([]);
      expect(each).toMatch(/before .*\[removed\].* after\nnext/s);
    }
  }
});
