import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactBody, redactText } from '../../src/service/redact.ts';
import { anyText } from '../support/text.ts';

// Not among the fast tests: V8 compiles hundreds of large expressions here, and beyond 16 MiB of machine code it leaves
// those of whatever runs later in the same process slow. The widths of 200,000 wide characters then take half a minute.
it('shows no secret, whatever the secrets and the text around them are', () => {
  const secret = anyText({ minLength: 12 });
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1, maxLength: 3 }), fc.array(fc.string()), (secrets, around) => {
      const text = around.map((words, index) => words + (secrets[index] ?? '')).join('');
      const shown = redactText(text, secrets);
      const shownBody = redactBody(JSON.stringify({ text, list: [text] }), secrets);
      for (const each of secrets) {
        expect(shown).not.toContain(each);
        expect(shownBody).not.toContain(JSON.stringify(each).slice(1, -1));
      }
    }),
  );
});
