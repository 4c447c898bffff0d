import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { memoryFolder } from '../../../scripts/memory-folder.mjs';
import { findPostgres, programFolder, unprivileged } from '../../../scripts/postgres.mjs';
import { freePort } from '../server/free-port.ts';

/** A PostgreSQL of its own with a streaming standby. */
export interface ReplicatedServer {
  primaryUrl: string;
  standbyUrl: string;
  /** starts the standby (again) */
  startStandby(): void;
  /** to all processes of the standby; SIGQUIT ends them at once */
  signalStandby(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGQUIT'): Promise<void>;
  /** Stops the primary for good, as a failed machine would be missing. */
  stopPrimary(): Promise<void>;
  stop(): Promise<void>;
}

export const standbyPrograms = programFolder(['initdb', 'postgres', 'pg_basebackup']);

/** Starts both from installed binaries; @throws Error without them */
export async function startReplicatedServer(): Promise<ReplicatedServer> {
  const primary = await findPostgres({});
  if ('reason' in primary || !standbyPrograms) throw new Error('PostgreSQL binaries are needed');
  const folder = mkdtempSync(join(memoryFolder(), 'acre-standby-'));
  const data = join(folder, 'data');
  const owner = unprivileged();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const options = { cwd: folder, stdio: 'ignore', ...owner } as const;
  execFileSync(
    join(standbyPrograms, 'pg_basebackup'),
    ['-D', data, '-d', primary.url, '-R', '-X', 'stream', '--no-sync', '-c', 'fast'],
    options,
  );
  const port = await freePort();
  const start = () => {
    const child = spawn(
      join(standbyPrograms ?? '', 'postgres'),
      // A standby must allow as many connections as its primary.
      [
        '-D',
        data,
        '-p',
        String(port),
        '-c',
        'max_connections=200',
        '-c',
        `unix_socket_directories=${folder}`,
      ],
      { ...options, detached: true },
    );
    return { child, ended: once(child, 'exit') };
  };
  let running = start();
  const signal = async (name: 'SIGSTOP' | 'SIGCONT' | 'SIGQUIT') => {
    // The children of the server form process groups of their own.
    const { pid = 0 } = running.child;
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    const targets = name === 'SIGQUIT' ? [pid] : [pid, ...children.trim().split(/\s+/).map(Number)];
    for (const target of targets) process.kill(target, name);
    if (name === 'SIGQUIT') await running.ended;
  };
  let stopped: Promise<void> | undefined;
  const stopPrimary = () => (stopped ??= primary.stop());
  return {
    primaryUrl: primary.url,
    standbyUrl: `postgres://postgres@127.0.0.1:${port}/postgres`,
    startStandby() {
      running = start();
    },
    signalStandby: signal,
    stopPrimary,
    async stop() {
      if (running.child.exitCode === null) await signal('SIGQUIT');
      await stopPrimary();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
