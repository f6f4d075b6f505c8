import { verb } from '../verb.ts';
import { SANDBOX_ORGANIZATION_COLUMNS } from './columns.ts';
import { openState, STATE } from './state.ts';

export const info = verb({
  name: 'sandbox info',
  help: 'Show what is in the sandbox and where its state is kept',
  effect: 'own',
  options: STATE,
  examples: ['orgctl sandbox info'],
  columns: SANDBOX_ORGANIZATION_COLUMNS,
  async run(context, { state }) {
    const { screen } = context;
    const sandbox = await openState(context, state);
    try {
      const { state: path, seed, organizations } = sandbox.info();
      screen.note(`State: ${path} (${seed} data)`);
      await screen.list(SANDBOX_ORGANIZATION_COLUMNS, organizations);
    } finally {
      sandbox.close();
    }
  },
});
