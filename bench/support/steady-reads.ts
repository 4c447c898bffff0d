import { setTimeout as wait } from 'node:timers/promises';
import { openClient } from './http-client.ts';
import { type Timings, timings } from './timings.ts';

export const READ_EVERY_MS = 40;

/**
 * Reads a page of the server at `port` at a steady pace, each time on time, however long the one before takes.
 * @param more whether to go on, by how many reads there were
 * @throws Error for an answer other than 200
 */
export async function readSteadily(
  port: number,
  path: string,
  more: (reads: number) => boolean,
): Promise<Timings> {
  const client = await openClient(`http://127.0.0.1:${port}`, 4);
  const took: Promise<number>[] = [];
  const began = performance.now();
  while (more(took.length)) {
    const due = began + took.length * READ_EVERY_MS;
    await wait(Math.max(0, due - performance.now()));
    took.push(
      client.send({ method: 'GET', path }, due).then(({ status, took: milliseconds }) => {
        if (status !== 200) throw new Error(`${path} answered ${status}`);
        return milliseconds;
      }),
    );
  }
  const read = timings(await Promise.all(took));
  client.close();
  return read;
}
