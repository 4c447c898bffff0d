import { readdir, readlink } from 'node:fs/promises';
import type { TestServer } from './server.ts';

/** The metrics of a server by name, those without labels only. */
export async function readMetrics(port: number): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return new Map(
    [...text.matchAll(/^(\w+) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)] as const),
  );
}

/** The routes that a server tells its requests apart by. */
export async function measuredRoutes(port: number): Promise<string[]> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return [...new Set([...text.matchAll(/\broute="([^"]*)"/g)].map(([, route = '']) => route))].sort();
}

/** What a process keeps that requests could leave behind. */
export interface HeldResources {
  /** megabytes of the heap after a forced collection */
  heap: number;
  /** open files, connections among them, without those in which the embedded database has its tables */
  descriptors: number;
  streams: number;
}

/**
 * Forces a collection and says what the server keeps.
 * @param server one that was started with `inspected`
 */
export async function readHeldResources(
  metricsPort: number,
  server: Pick<TestServer, 'pid' | 'output'>,
): Promise<HeldResources> {
  const address = /ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/.exec(server.output())?.[0];
  if (!address) throw new Error('The server was started without its inspector');
  const heap = await collectedHeap(address);
  const metrics = await readMetrics(metricsPort);
  return {
    heap: Math.round((heap / 1_048_576) * 10) / 10,
    descriptors: (metrics.get('process_open_fds') ?? 0) - (await openTables(server.pid)),
    streams: metrics.get('event_streams') ?? 0,
  };
}

/** How many files of tables and indexes a process has open: the embedded database opens each at its first use and leaves it open. */
async function openTables(pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return files.filter((file) => /\/(?:base\/\d+|global)\/\d+/.test(file)).length;
}

/** The environment of a server whose heap is read. */
export const inspected = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

async function collectedHeap(address: string): Promise<number> {
  const socket = new WebSocket(address);
  const call = (id: number, method: string) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      socket.addEventListener('error', () => reject(new Error('The inspector does not answer')));
      socket.addEventListener('message', ({ data }) => {
        const answer = JSON.parse(String(data)) as { id?: number; result?: Record<string, unknown> };
        if (answer.id === id) resolve(answer.result ?? {});
      });
      socket.send(JSON.stringify({ id, method }));
    });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('The inspector does not answer')));
  });
  try {
    // What the first one finalizes, the second one frees.
    for (const id of [1, 2]) await call(id, 'HeapProfiler.collectGarbage');
    const { usedSize } = await call(3, 'Runtime.getHeapUsage');
    return Number(usedSize);
  } finally {
    socket.close();
  }
}
