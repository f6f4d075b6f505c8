const TOPICS: Record<string, () => Promise<{ default: string }>> = {
  jobs: () => import('./jobs.md'),
  output: () => import('./output.md'),
  'exit-codes': () => import('./exit-codes.md'),
  environment: () => import('./environment.md'),
  rotation: () => import('./rotation.md'),
  files: () => import('./files.md'),
  sandbox: () => import('./sandbox.md'),
  agents: () => import('./agents.md'),
};

/** The topics of `orgctl help`. Each text is loaded when it is asked for. */
export const topics = {
  names: Object.keys(TOPICS),
  load: async (name: string): Promise<string> => (await TOPICS[name]?.())?.default ?? '',
};
