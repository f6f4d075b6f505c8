// Loaded into a process that is looked at: writes the largest size its heap had, in bytes, to PEAK_HEAP_FILE when it ends.
const { writeFileSync } = require('node:fs');
const { PerformanceObserver } = require('node:perf_hooks');

let peak = 0;
const look = () => {
  peak = Math.max(peak, process.memoryUsage().heapTotal);
};

new PerformanceObserver(look).observe({ entryTypes: ['gc'] });
process.on('exit', () => {
  look();
  writeFileSync(process.env.PEAK_HEAP_FILE, String(peak));
});
