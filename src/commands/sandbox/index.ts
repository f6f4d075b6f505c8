export const verbs = {
  serve: ['Run the sandbox as a server until you stop it', () => import('./serve.ts')],
  info: ['Show what is in the sandbox, and where its state is kept', () => import('./info.ts')],
  accept: ['Accept an invitation, as the invited person would', () => import('./accept.ts')],
  reset: ['Reset the sandbox; all changes in it are lost', () => import('./reset.ts')],
} as const;
