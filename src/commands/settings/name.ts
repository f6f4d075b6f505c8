import { SETTINGS, toSettingName } from '../../settings/settings.ts';
import { valued } from '../param.ts';

/** An argument that names a setting. */
export const NAME = {
  name: valued('<name>', `One of: ${SETTINGS.map(({ name }) => name).join(', ')}`, toSettingName, {
    complete: SETTINGS.map(({ name: word, description }) => ({ word, description })),
  }),
};
