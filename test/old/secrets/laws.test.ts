import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSecrets } from '../../../src/old/secrets/secrets.ts';
import { anyText } from '../../support/text.ts';

it('shows no secret, whatever the secrets and the text around them are', () => {
  // Without blanks, which may be written in other ways, and longer than what may be a word.
  const secret = anyText({ minLength: 12 })
    .map((text) => text.replaceAll(/\s/g, '-'))
    .filter((text) => !'[removed]'.includes(text));
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1, maxLength: 3 }), fc.array(fc.string()), (texts, around) => {
      const text = around.map((words, index) => words + (texts[index] ?? '')).join('');
      const secrets = createSecrets(...texts);
      const shown = secrets.redactText(text);
      const shownBody = secrets.redactBody(JSON.stringify({ text, list: [text] }));
      const shownAnswer = secrets.redactAnswer(JSON.stringify({ text, list: [text] }));
      for (const each of texts) {
        expect(shown).not.toContain(each);
        expect(shownBody).not.toContain(JSON.stringify(each).slice(1, -1));
        expect(shownAnswer).not.toContain(JSON.stringify(each).slice(1, -1));
      }
    }),
  );
});

it('shows of a stream what it shows of the whole, in whatever pieces it comes', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\n', 's3cret-0123456789', 's3c', 'ret-', '0123') });
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const secrets = createSecrets('s3cret-0123456789');
      const redactor = secrets.createRedactor();
      const shown = pieces.map((text) => redactor.push(text)).join('') + redactor.flush();
      expect(shown).toBe(secrets.redactText(pieces.join('')));
      expect(shown.replaceAll('\n', '')).not.toContain('s3cret-0123456789');
    }),
  );
});
