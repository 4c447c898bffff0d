import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SECOND } from '#platform/durations.ts';

/** A chain on this machine that runs beside the server. */
export interface LocalNode {
  /** where it is reached by RPC, on this machine alone */
  url: string;
  pid: number | undefined;
  /** Ends it, after it has saved its state. */
  stop(): Promise<void>;
  /** settles when it has ended, for whatever reason */
  ended: Promise<void>;
}

interface StartOptions {
  /** where the state is kept; null keeps none */
  folder: string | null;
  /** seconds between two savings of the state */
  saveEvery?: number;
  /** seconds between two blocks; without it each transaction has its block */
  blockSeconds?: number;
}

/** There is no program for this kind of machine, or it did not start. */
class AnvilUnavailable extends Error {
  override name = 'AnvilUnavailable';
}

const START_MS = 20 * SECOND;
const STOP_MS = 5 * SECOND;

/** The program of anvil, a binary without its npm wrapper, which would leave it running when it is killed; null on platforms without one. */
export function anvilBinary(platform: string = process.platform, arch: string = process.arch): string | null {
  const names: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
  const name = `@foundry-rs/anvil-${platform}-${names[arch]}`;
  const program = platform === 'win32' ? 'anvil.exe' : 'anvil';
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/${program}`);
  } catch {
    return null;
  }
}

/**
 * Ends the program when the standard input of this shell ends, which the system closes with the server however that dies: no chain
 * outlives its server.
 */
const WATCHED = `exec 3<&0
"$@" 3<&- & child=$!
(cat <&3 >/dev/null; kill -TERM "$child" 2>/dev/null) &
trap 'kill -TERM "$child" 2>/dev/null' TERM INT
wait "$child"; wait "$child" 2>/dev/null; exit $?`;

/**
 * Starts a chain on this machine, on a free port of the loopback address. A state that it cannot read is set aside, and the chain starts
 * from its first block: what it has lost is written again, as after a re-organisation.
 * @throws AnvilUnavailable
 */
export async function startAnvil(options: StartOptions): Promise<LocalNode> {
  const binary = anvilBinary();
  if (!binary) throw new AnvilUnavailable(`There is no anvil for ${process.platform} ${process.arch}`);
  const { folder } = options;
  if (folder === null) return launch(binary, options, null);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const state = join(folder, 'state.json');
  try {
    return await launch(binary, options, state);
  } catch (error) {
    if (!existsSync(state)) throw error;
    renameSync(state, `${state}.unreadable`);
    return launch(binary, options, state);
  }
}

async function launch(
  binary: string,
  { saveEvery = 5, blockSeconds }: StartOptions,
  state: string | null,
): Promise<LocalNode> {
  const command = [
    binary,
    ...['--host', '127.0.0.1', '--port', '0', '--hardfork', 'cancun', '--threads', '1'],
    // Old states, of which each takes memory, are asked for by nothing here.
    ...['--order', 'fifo'],
    ...(state ? ['--state', state, '--state-interval', String(saveEvery)] : []),
    ...(blockSeconds ? ['--block-time', String(blockSeconds)] : []),
  ];
  const [program = '', ...args] =
    process.platform === 'win32' ? command : ['/bin/sh', '-c', WATCHED, 'anvil', ...command];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { PATH: process.env.PATH } });
  // A write to a program that has ended is no fault of this process.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async () => {
    child.stdin.end();
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(killer);
  };
  try {
    const url = `http://${await listeningAddress(child)}`;
    // What it goes on to print has to be read, or it would wait.
    child.stdout.resume();
    child.stderr.resume();
    child.unref();
    return { url, pid: child.pid, stop, ended };
  } catch (error) {
    await stop();
    throw error;
  }
}

function listeningAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new AnvilUnavailable(`anvil did not start: ${reason}`));
    };
    const timer = setTimeout(() => fail('it took too long'), START_MS);
    const read = (chunk: Buffer) => {
      printed += chunk;
      const address = /Listening on (\S+)/.exec(printed)?.[1];
      if (!address) return;
      clearTimeout(timer);
      child.stdout?.off('data', read);
      resolve(address);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
    child.once('error', (error) => fail(error.message));
    child.once('close', () => fail(printed.trim().slice(-300) || 'it ended'));
  });
}
