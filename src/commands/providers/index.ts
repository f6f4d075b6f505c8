import { addVerb, type RegisterNoun } from '../../cli/command.ts';
import { check } from './check.ts';
import { create } from './create.ts';
import { deletion } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { publish } from './publish.ts';
import { versions } from './versions.ts';

export const register: RegisterNoun = (noun, open) => {
  addVerb(noun, 'list', list, open);
  addVerb(noun, 'get', get, open);
  addVerb(noun, 'versions', versions, open);
  addVerb(noun, 'create', create, open);
  addVerb(noun, 'delete', deletion, open);
  addVerb(noun, 'publish', publish, open);
  addVerb(noun, 'check', check, open);
};
