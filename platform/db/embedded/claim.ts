import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseInUse } from '../../errors.ts';

/** Who has the embedded database open, and the folder of the socket through which others may reach it. */
export interface Claim {
  pid: number;
  socketFolder: string;
}

/** The name that PostgreSQL clients look for in a socket folder. */
export const socketPath = (folder: string) =>
  process.platform === 'win32'
    ? `\\\\.\\pipe\\${folder.replace(/[\\/:]/g, '-')}`
    : join(folder, '.s.PGSQL.5432');

const claimFile = (dataDir: string) => join(dataDir, 'database.lock');

/**
 * The embedded engine does not lock its folder itself, and two processes on one folder lose rows. So the first
 * process writes a claim; a second one finds it and may only come in through the first one's socket.
 * @throws DatabaseInUse when another process is starting or stopping and cannot be reached yet
 */
export async function claimDatabase(dataDir: string): Promise<{ mine: boolean; claim: Claim }> {
  mkdirSync(dataDir, { recursive: true });
  for (let attempt = 0; attempt < 3; attempt++) {
    const claim = { pid: process.pid, socketFolder: mkdtempSync(join(tmpdir(), 'acre-')) };
    try {
      writeFileSync(claimFile(dataDir), JSON.stringify(claim), { flag: 'wx', mode: 0o600 });
      return { mine: true, claim };
    } catch (error) {
      rmSync(claim.socketFolder, { recursive: true, force: true });
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const other = readClaim(dataDir);
    if (other && (await reachable(other))) return { mine: false, claim: other };
    if (other && isAlive(other.pid) && other.pid !== process.pid) throw new DatabaseInUse(dataDir, other.pid);
    rmSync(claimFile(dataDir), { force: true });
  }
  throw new DatabaseInUse(dataDir, 0);
}

export function releaseDatabase(dataDir: string, claim: Claim): void {
  if (readClaim(dataDir)?.pid === claim.pid) rmSync(claimFile(dataDir), { force: true });
  rmSync(claim.socketFolder, { recursive: true, force: true });
}

function readClaim(dataDir: string): Claim | null {
  try {
    return JSON.parse(readFileSync(claimFile(dataDir), 'utf8')) as Claim;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function reachable(claim: Claim): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath(claim.socketFolder));
    const answer = (yes: boolean) => {
      socket.destroy();
      resolve(yes);
    };
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });
}
