import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { prepareDataDir } from '../../data-dir.ts';
import { DatabaseInUse, hasErrorCode } from '../../errors.ts';

/** The process that has the embedded database open, and the folder of the socket that it serves. */
interface Claim {
  pid: number;
  /** start time of that process according to the system, because process ids are reused */
  began: string;
  /** the machine or container; a process id means nothing on another one */
  host: string;
  socketFolder: string;
}

/** The socket path that PostgreSQL clients expect in a socket folder. */
export const socketPath = (folder: string) =>
  process.platform === 'win32'
    ? `\\\\.\\pipe\\${folder.replace(/[\\/:]/g, '-')}`
    : join(folder, '.s.PGSQL.5432');

const HEARTBEAT_MS = 2_000;
/** A claim by another machine is abandoned when it was not refreshed for this long. */
const ABANDONED_MS = 15_000;
const UNREADABLE_MS = 1_000;
const ATTEMPTS = 30;

const claimFile = (dataDir: string) => join(dataDir, 'database.lock');
const heartbeats = new Map<string, NodeJS.Timeout>();

/**
 * The embedded engine does not lock its folder, and two processes on one folder lose rows. So the first process writes a
 * claim (a lock file); a second one finds it and can only connect through the first one's socket.
 * @throws DatabaseInUse when another process holds the claim but cannot be reached, as while starting or stopping
 */
export async function claimDatabase(dataDir: string): Promise<{ mine: boolean; claim: Claim }> {
  prepareDataDir(dataDir);
  const socketFolder = mkdtempSync(join(tmpdir(), 'acre-'));
  const claim = { pid: process.pid, began: processStartTime(process.pid), host: hostname(), socketFolder };
  const found = await claimOrFind(dataDir, claim).catch((error: unknown) => {
    rmSync(socketFolder, { recursive: true, force: true });
    throw error;
  });
  if (found) {
    rmSync(socketFolder, { recursive: true, force: true });
    return { mine: false, claim: found };
  }
  const refresh = () => {
    const now = new Date();
    // The file may be gone together with its folder.
    utimes(claimFile(dataDir), now, now, () => undefined);
  };
  heartbeats.set(dataDir, setInterval(refresh, HEARTBEAT_MS).unref());
  return { mine: true, claim };
}

export function releaseDatabase(dataDir: string, claim: Claim): void {
  clearInterval(heartbeats.get(dataDir));
  heartbeats.delete(dataDir);
  if (readClaim(dataDir)?.socketFolder === claim.socketFolder) rmSync(claimFile(dataDir), { force: true });
  rmSync(claim.socketFolder, { recursive: true, force: true });
}

/** Null once the claim is ours, else the claim of a reachable process. */
async function claimOrFind(dataDir: string, claim: Claim): Promise<Claim | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (createOnly(claimFile(dataDir), JSON.stringify(claim))) return null;
    const other = readClaim(dataDir);
    if (other && (await reachable(other))) return other;
    if (other && isHeld(dataDir, other)) throw new DatabaseInUse(dataDir, other.pid);
    // An unreadable file may be in the middle of being written.
    const settled = other || ageOf(claimFile(dataDir)) > UNREADABLE_MS;
    if (settled && replaceAbandoned(dataDir, other, claim)) return null;
    await wait(100);
  }
  throw new DatabaseInUse(dataDir, readClaim(dataDir)?.pid ?? 0);
}

function isHeld(dataDir: string, { pid, began, host }: Claim): boolean {
  if (host !== hostname()) return ageOf(claimFile(dataDir)) < ABANDONED_MS;
  return pid !== process.pid && isAlive(pid) && processStartTime(pid) === began;
}

/** Several processes may find the same abandoned claim: one replaces it, the others retry. */
function replaceAbandoned(dataDir: string, abandoned: Claim | null, claim: Claim): boolean {
  const takeoverFile = `${claimFile(dataDir)}.turn`;
  if (!createOnly(takeoverFile, '')) {
    if (ageOf(takeoverFile) > ABANDONED_MS) rmSync(takeoverFile, { force: true });
    return false;
  }
  try {
    if (readClaim(dataDir)?.socketFolder !== abandoned?.socketFolder) return false;
    const prepared = `${claimFile(dataDir)}.new`;
    writeFileSync(prepared, JSON.stringify(claim), { mode: 0o600 });
    renameSync(prepared, claimFile(dataDir));
    return true;
  } finally {
    rmSync(takeoverFile, { force: true });
  }
}

function createOnly(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function readClaim(dataDir: string): Claim | null {
  try {
    return JSON.parse(readFileSync(claimFile(dataDir), 'utf8')) as Claim;
  } catch {
    return null;
  }
}

function ageOf(file: string): number {
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}

/** Distinguishes a process from a later one with the same id; empty where the system does not tell. */
function processStartTime(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      return `${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
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
