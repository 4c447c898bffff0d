import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '#platform/project-root.ts';

export interface TestProcess {
  process: ChildProcess;
  output(): string;
  /** Waits until the output matches; fails when the process exits without a match. */
  waitForOutput(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** Sends a signal, if given, and waits for the exit: the exit code or the signal's name. */
  end(signal?: NodeJS.Signals): Promise<number | string>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a file of the project in a new process with only PATH, HOME, Node's own variables and the given environment.
 * @param isShortLived whether it ends within a minute or so, as scripts do
 */
export function startProcess(
  file: string,
  environment: Record<string, string>,
  args: string[] = [],
  folder = projectRoot,
  isShortLived = file.endsWith('.ts'),
): TestProcess {
  const { PATH = '', HOME = '', NODE_OPTIONS = '', NODE_COMPILE_CACHE = '' } = process.env;
  // Compiling the embedded database a second time, for more speed, takes seconds that are earned back within minutes.
  const flags = isShortLived ? ['--liftoff-only'] : [];
  const child = spawn(process.execPath, [...flags, join(folder, file), ...args], {
    cwd: folder,
    // No balancer has to notice that it stops.
    env: { PATH, HOME, NODE_OPTIONS, NODE_COMPILE_CACHE, DRAIN_SECONDS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let text = '';
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child);
    return (code ?? signal) as number | string;
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      child.emit('printed');
    });
  }
  return {
    process: child,
    output: () => text,
    async waitForOutput(pattern, timeoutMs = 90_000) {
      const deadline = AbortSignal.timeout(timeoutMs);
      for (;;) {
        const found = pattern.exec(text);
        if (found) return found;
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`${file} ended without printing ${pattern}:\n${text}`);
        await Promise.race([once(child, 'printed', { signal: deadline }), ended]);
      }
    },
    end(signal) {
      if (signal) child.kill(signal);
      return ended;
    },
  };
}
