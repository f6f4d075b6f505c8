export const verbs = {
  login: ['Check a token and store it; it is typed at a prompt, or piped in', () => import('./login.ts')],
  logout: ['Remove what a login stored', () => import('./logout.ts')],
  status: ['Show which service, token and organization are used, and all profiles', () => import('./status.ts')],
  use: ['Switch the default profile', () => import('./use.ts')],
} as const;
