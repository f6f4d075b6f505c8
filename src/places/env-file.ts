import { resolve } from 'node:path';
import { UsageError } from '../lib/errors.ts';
import { assertReplaceable, findRealPath, readOptionalFile, writeThroughLink } from '../lib/files.ts';
import { withFileLock } from '../lib/lock.ts';
import type { Place, PlaceContext } from './place.ts';

/**
 * Matches `KEY=value` and `export KEY='value' # comment`; captures what is before the value, the key, the value. A quoted value
 * may have several lines.
 */
const ASSIGNMENT =
  /^((?:\xef\xbb\xbf)?[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*)("(?:\\[\s\S]|[^"\\])*"|'[^']*'|`[^`]*`|.*?)(?=(?:[ \t]+#.*|[ \t]*)$)/gm;
const UNCLOSED = /^(["'`])(?:(?!\1).)*$/;

export function open(value: string, { runtime, signal, stateFolder }: PlaceContext): Place {
  const hash = value.lastIndexOf('#');
  const key = value.slice(hash + 1);
  if (!/^[A-Za-z_][\w.-]*$/.test(key)) throw new UsageError(`--to: '${key}' is not a variable name`);
  const path = resolve(runtime.cwd, value.slice(0, hash));
  const file = findRealPath(path);
  return {
    name: `env-file:${value}`,
    id: `${file}#${key}`,
    file,
    async check() {
      assertReplaceable(path);
      readAssignment(path, key);
    },
    read: () => /^(["']?)([!-~]+)\1$/.exec(readAssignment(path, key).value ?? '')?.[2],
    deliver: (secret) =>
      withFileLock(stateFolder, path, { runtime, signal }, () =>
        writeThroughLink(path, Buffer.from(setValue(readAssignment(path, key), quote(secret)), 'latin1')),
      ),
  };
}

/** The whole text, and where the value of the key is, if the file has it. Throws UsageError for a file that can't be changed safely. */
function readAssignment(path: string, key: string) {
  readOptionalFile(path);
  // Read as latin1, the text keeps a mark of its encoding.
  const text = readOptionalFile(path, 'latin1') ?? '';
  if (/^(\xff\xfe|\xfe\xff)/.test(text)) throw new UsageError(`${path} is UTF-16: save it as UTF-8`);
  const all = [...text.matchAll(ASSIGNMENT)];
  const unclosed = all.find(([, , , value = '']) => UNCLOSED.test(value));
  if (unclosed) throw new UsageError(`${path}: the quote of ${unclosed[2]} has no end`);
  const [first, second] = all.filter((match) => match[2] === key);
  if (second) throw new UsageError(`${path}: ${key} is set twice`);
  return { key, text, start: (first?.index ?? 0) + (first?.[1] ?? '').length, value: first?.[3] };
}

function setValue({ key, text, start, value }: ReturnType<typeof readAssignment>, next: string): string {
  if (value !== undefined) return text.slice(0, start) + next + text.slice(start + value.length);
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${end}${key}=${next}\n`;
}

function quote(secret: string): string {
  if (/^[\w./+=:@%,-]+$/.test(secret)) return secret;
  if (/^[ -&(-~]+$/.test(secret)) return `'${secret}'`;
  throw new Error("the token has characters that an env file can't hold");
}
