import { threadCpuUsage } from 'node:process';

const INTERVAL_MS = 10;

/** Watches for work that keeps the event loop, and so every other request, waiting. */
export interface EventLoopWatch {
  /**
   * Seconds of the longest block since the last call. Only the thread's own CPU time counts, so that a busy machine does not look
   * like a busy process.
   */
  longestBlock(): number;
  stop(): void;
}

/** Starts watching; the watch does not keep the process alive. */
export function watchEventLoop(): EventLoopWatch {
  let longest = 0;
  let lastAt = performance.now();
  let lastCpu = threadCpuUsage();
  const look = () => {
    const now = performance.now();
    const late = now - lastAt - INTERVAL_MS;
    const { user, system } = threadCpuUsage(lastCpu);
    longest = Math.max(longest, Math.min(late, (user + system) / 1_000));
    lastAt = now;
    lastCpu = threadCpuUsage();
  };
  const timer = setInterval(look, INTERVAL_MS).unref();
  return {
    longestBlock() {
      const found = longest / 1_000;
      longest = 0;
      return found;
    },
    stop: () => clearInterval(timer),
  };
}
