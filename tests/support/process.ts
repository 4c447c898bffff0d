import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '#platform/project-root.ts';

export interface Child {
  process: ChildProcess;
  output(): string;
  /** Waits for a text in what the process prints; fails when it ends without it. */
  printed(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** Sends a signal and waits for the end: its exit code, or the signal's name. */
  end(signal?: NodeJS.Signals): Promise<number | string>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a TypeScript file of the project as a process of its own, with only what is given and PATH and HOME. */
export function startProcess(file: string, environment: Record<string, string>, args: string[] = []): Child {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(projectRoot, file), ...args], {
    cwd: projectRoot,
    env: { PATH, HOME, ...environment },
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
    async printed(pattern, timeoutMs = 30_000) {
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
