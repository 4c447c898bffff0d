import { existsSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';

// Loaded into a server before its own code, by `slowToRecover`: its embedded database does not begin to start until a file is there, as
// after a killed process whose log is long.

const { HOLD_ENGINE_UNTIL: file = '' } = process.env;

if (!isMainThread && workerData && 'dataDir' in workerData) {
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(file)) Atomics.wait(never, 0, 0, 10);
}
