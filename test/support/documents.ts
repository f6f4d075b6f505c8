import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './shipped.ts';

/** A piece of code in a document. */
export interface Block {
  /** The heading above it. */
  heading: string;
  language: string;
  text: string;
}

export function readDocument(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function readBlocks(path: string): Block[] {
  let heading = '';
  const parts = readDocument(path).matchAll(/^#+ (.*)$|^```(\w+)\n([\s\S]*?)^```$/gm);
  return [...parts].flatMap(([, title, language, text = '']) => {
    heading = title ?? heading;
    return language === undefined ? [] : [{ heading, language, text }];
  });
}
