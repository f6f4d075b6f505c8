/** What counts where nothing else is set, as people write it. Apart, since every start reads it for help. */
export const DEFAULTS = {
  // Assumed: the hosted edition is at app.terraform.io.
  host: 'app.terraform.io',
  timeout: '30s',
  /** Creating a token is worth more patience: giving up on it early leaves its outcome unknown. */
  creationTimeout: '60s',
  maxRetries: 4,
} as const;
