import type { Host } from '../host.ts';
import type { Redactor } from '../secrets/stream.ts';

/** Where a command is looked for, and where it runs. */
export interface Machine extends Pick<Host, 'env' | 'platform'> {
  /** Absolute. */
  readonly cwd: string;
}

/** What running one takes. */
export interface Surroundings extends Machine {
  sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** What showing what it prints takes. */
export interface Screen {
  showCommandOutput(text: string): Promise<void>;
  createRedactor(secret: string): Redactor;
  toPlainLine(text: string): string;
}
