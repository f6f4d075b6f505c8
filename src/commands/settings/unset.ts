import { defineVerb } from '../../cli/command.ts';
import { findSetting } from '../../config/settings.ts';
import { changeSetting, NAME_ARGUMENT, SETTING_RESULT_COLUMNS } from './setting.ts';

export const verb = defineVerb({
  columns: SETTING_RESULT_COLUMNS,
  arguments: [NAME_ARGUMENT],
  examples: ['settings unset org'],
  run: (session, _options, name) => changeSetting(session, findSetting(name), undefined),
});
