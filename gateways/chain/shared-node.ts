import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECOND } from '#platform/durations.ts';

/** Where the chain of a data folder runs, for other processes on the same folder. */
export interface SharedNode {
  url: string;
  pid: number;
  /** the hash of its first block, which no other chain has */
  genesis: string;
}

const fileOf = (folder: string) => join(folder, 'node.json');
const ASK_MS = 2 * SECOND;

/** The hash of a node's first block; null when it does not answer. */
export async function genesisOf(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['0x0', false] }),
      signal: AbortSignal.timeout(ASK_MS),
    });
    const { result } = (await response.json()) as { result?: { hash?: string } };
    return result?.hash ?? null;
  } catch {
    return null;
  }
}

/** Says where the chain of a folder runs. */
export const publishNode = (folder: string, node: SharedNode): void =>
  writeFileSync(fileOf(folder), JSON.stringify(node), { mode: 0o600 });

/** Takes back what was said, unless another process has said something else since. */
export function withdrawNode(folder: string, pid: number): void {
  if (readNode(folder)?.pid === pid) rmSync(fileOf(folder), { force: true });
}

/** The chain that another process runs for a folder; null when there is none, or what the file names is something else by now. */
export async function findNode(folder: string): Promise<SharedNode | null> {
  const node = readNode(folder);
  return node && isRunning(node.pid) && (await genesisOf(node.url)) === node.genesis ? node : null;
}

function readNode(folder: string): SharedNode | null {
  const file = fileOf(folder);
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SharedNode;
  } catch {
    return null;
  }
}

/** Whether a process of this machine runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
