import { appendFileSync } from 'node:fs';

// Loaded into a process before everything else by NODE_OPTIONS: `--import=<this file>?off=ID&trace=FILE`. Switchable code
// asks `guardIsOff`. The process of the tests sets `guardOff` for each file of tests; a server that a test starts has its
// guard from the query, and with a trace notes every guard that it passes in the file, one id a line.

declare global {
  var guardIsOff: ((id: string) => boolean) | undefined;
  var guardOff: string | null | undefined;
  /** the guards asked for since the set was last cleared */
  var guardsPassed: Set<string> | undefined;
}

const { searchParams } = new URL(import.meta.url);
const trace = searchParams.get('trace');
const passed = new Set<string>();

globalThis.guardOff = searchParams.get('off');
globalThis.guardsPassed = passed;
globalThis.guardIsOff = trace
  ? (id) => {
      if (process.env.VITEST) passed.add(id);
      else appendFileSync(trace, `${id}\n`);
      return false;
    }
  : (id) => id === globalThis.guardOff;
