import { ANSWER_TARGETS } from './answers.ts';
import { COMMAND_LINE_TARGETS } from './command-lines.ts';
import { FILE_TARGETS } from './files.ts';
import type { Target } from './target.ts';
import { TEXT_TARGETS } from './texts.ts';

export const TARGETS: readonly Target[] = [
  ...ANSWER_TARGETS,
  ...FILE_TARGETS,
  ...TEXT_TARGETS,
  ...COMMAND_LINE_TARGETS,
];
