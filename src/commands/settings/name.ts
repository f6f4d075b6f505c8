import { argument } from '../../cli/options.ts';
import { SETTINGS } from '../../config/settings.ts';

export const NAME_ARGUMENT = argument('<name>', 'a setting, such as org', {
  complete: () => SETTINGS.map(({ name }) => name),
});
