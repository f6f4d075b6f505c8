import { defineVerb } from '../../cli/command.ts';
import { findSetting } from '../../config/settings.ts';
import { CHANGE_COLUMNS, changeSetting, NAME_ARGUMENT } from './setting.ts';

export const verb = defineVerb({
  columns: CHANGE_COLUMNS,
  arguments: [NAME_ARGUMENT],
  examples: ['settings unset org'],
  run: (session, _options, name) => changeSetting(session, findSetting(name), undefined),
});
