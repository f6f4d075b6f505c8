// Loaded before orgctl: its clock is wrong by the milliseconds that `ORGCTL_CLOCK` says.

'use strict';
const error = Number(process.env.ORGCTL_CLOCK);
delete process.env.ORGCTL_CLOCK;
const Right = Date;

class Wrong extends Right {
  constructor(...parts) {
    if (parts.length === 0) super(Right.now() + error);
    else super(...parts);
  }

  static now() {
    return Right.now() + error;
  }
}

globalThis.Date = Wrong;
