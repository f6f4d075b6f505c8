import type { Verb } from '../../cli/command.ts';
import { argument } from '../../cli/options.ts';
import { findSetting } from '../../config/settings.ts';
import { changeSetting } from './change.ts';
import { CHANGE_COLUMNS } from './columns.ts';

export const unset: Verb<unknown, [name: string]> = {
  summary: 'Remove a stored setting',
  columns: CHANGE_COLUMNS,
  arguments: [argument('<name>', 'a setting, such as org')],
  examples: ['settings unset org'],
  run: (session, _options, name) => changeSetting(session, findSetting(name), undefined),
};
