import { noun } from '../verb.ts';
import { check } from './check.ts';
import { create } from './create.ts';
import { deletion } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { publish } from './publish.ts';
import { versions } from './versions.ts';

export const registerProviders = noun(
  [list, get, create, deletion, versions, publish, check],
  ['orgctl providers list', 'orgctl providers create hashicorp/google'],
  'output',
);
