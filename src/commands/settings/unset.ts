import { defineVerb } from '../../cli/command.ts';
import { findSetting } from '../../config/settings.ts';
import { changeSetting } from './change.ts';
import { CHANGE_COLUMNS } from './columns.ts';
import { NAME_ARGUMENT } from './name.ts';

export const verb = defineVerb({
  columns: CHANGE_COLUMNS,
  arguments: [NAME_ARGUMENT],
  examples: ['settings unset org'],
  run: (session, _options, name) => changeSetting(session, findSetting(name), undefined),
});
