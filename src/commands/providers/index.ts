import { check } from './check.ts';
import { create } from './create.ts';
import { deletion } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { publish } from './publish.ts';
import { versions } from './versions.ts';

export const verbs = { list, get, versions, create, delete: deletion, publish, check };
