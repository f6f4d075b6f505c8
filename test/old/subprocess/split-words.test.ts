import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/old/errors.ts';
import { splitWords } from '../../../src/old/subprocess/split-words.ts';

const split = (text: string, platform: NodeJS.Platform = 'linux') => splitWords(text, `exec:${text}`, platform);

describe('a command', () => {
  it.each([
    ['vault kv put secret/audit token=-', ['vault', 'kv', 'put', 'secret/audit', 'token=-']],
    ['  tool \t a  ', ['tool', 'a']],
    [`sh -c 'cat > "$1" | x' sh "a b"`, ['sh', '-c', 'cat > "$1" | x', 'sh', 'a b']],
    [`a"b c"'d e'f`, ['ab cd ef']],
    [`tool '' ""`, ['tool', '', '']],
    ['tool a\\ b \\$x \\\\ \\"', ['tool', 'a b', '$x', '\\', '"']],
    ['tool "a\\"b\\\\c\\$d\\ne"', ['tool', 'a"b\\c$d\\ne']],
    [`tool '\\n'`, ['tool', '\\n']],
    ['tool a \\\n  b\\\r\nc\n', ['tool', 'a', 'bc']],
    ['tool a#b a~b {} !x %y', ['tool', 'a#b', 'a~b', '{}', '!x', '%y']],
    [`'C:\\Program Files\\tool.exe' x`, ['C:\\Program Files\\tool.exe', 'x']],
    ['env A=1 tool B=2', ['env', 'A=1', 'tool', 'B=2']],
  ])('%j is split', (text, words) => {
    expect(split(text)).toEqual(words);
  });

  it.each(['|', '>', '<', ';', '&', '$', '`', '(', ')', '*', '?', '['])('with %s asks for a shell', (character) => {
    for (const text of [`tool a ${character}b`, `tool a${character}b`, `${character}x`]) {
      expect(() => split(text)).toThrow(UsageError);
      expect(() => split(text)).toThrow(`exec:${text}: runs no shell, so ${character} has no effect`);
    }
    expect(split(`tool '${character}' \\${character}`)).toEqual(['tool', character, character]);
  });

  it.each(['tool "$HOME"', 'tool "`id`"', 'tool # c', 'tool ~/x', 'a\nb', 'a\r\nb', 'A=1 tool'])(
    '%j asks for a shell',
    (text) => {
      expect(() => split(text)).toThrow(/: runs no shell, so /);
    },
  );

  it.each([
    ['', 'missing command: '],
    [' \n', 'missing command: '],
    [`''`, 'missing command: '],
    [`tool 'a`, "a ' in the command is never closed"],
    ['tool "a\\"', 'a " in the command is never closed'],
    ['tool "a\\', 'a " in the command is never closed'],
    ['tool \\', 'the command ends with a backslash'],
    ['tool \0', 'contains a NUL character'],
  ])('%j is refused', (text, message) => {
    expect(() => split(text)).toThrow(UsageError);
    expect(() => split(text)).toThrow(message);
  });

  it.each([
    ['C:\\Tools\\vault.exe kv put', ['C:\\Tools\\vault.exe', 'kv', 'put']],
    ['"C:\\Program Files\\az.exe" a\\"b "c d\\\\" e', ['C:\\Program Files\\az.exe', 'a"b', 'c d\\', 'e']],
    [`'C:\\a b\\x.exe' '$a' '%A%' 50% *.txt`, ['C:\\a b\\x.exe', '$a', '%A%', '50%', '*.txt']],
    ['\\\\server\\share\\x.exe a\\', ['\\\\server\\share\\x.exe', 'a\\']],
    ['tool "a\\b" "" x"y z"', ['tool', 'a\\b', '', 'xy z']],
  ])('on Windows %j is split', (text, words) => {
    expect(split(text, 'win32')).toEqual(words);
  });

  it.each([
    ['tool | more', 'runs no shell, so | has no effect', 'Quote it, or use powershell -Command.'],
    ['tool %APPDATA%\\x', 'runs no shell, so % has no effect', 'Quote it, or use powershell -Command.'],
    ['tool "%APPDATA%"', 'runs no shell, so % has no effect', 'Quote it, or use powershell -Command.'],
    ['tool "$env:A"', 'runs no shell, so $ has no effect', 'Quote it, or use powershell -Command.'],
    ['A=1 tool', 'runs no shell, so A=1 sets no variable', 'Set it before orgctl runs.'],
    ['tool "a\\"', 'a " in the command is never closed', 'Close it, or put a backslash before it.'],
  ])('on Windows %j is refused', (text, message, hint) => {
    expect(() => split(text, 'win32')).toThrow(expect.objectContaining({ message: `exec:${text}: ${message}`, hint }));
  });

  it.skipIf(process.platform === 'win32')('is split as a shell splits it, or refused', () => {
    const text = fc.string({ maxLength: 12, unit: fc.constantFrom(...`ab '"\\ \t\n=-/#~{}!%|$*`) });
    let compared = 0;
    fc.assert(
      fc.property(text, (rest) => {
        let words: readonly string[];
        try {
          words = split(`x ${rest}`);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
          return;
        }
        compared += 1;
        const script = `show() { for word; do printf '%s\\0' "$word"; done; }\nshow ${rest}`;
        const shell = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
        expect(shell.stdout.split('\0').slice(0, -1)).toEqual(words.slice(1));
      }),
      { numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(20);
  });
});
