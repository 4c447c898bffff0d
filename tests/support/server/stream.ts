import { setTimeout as wait } from 'node:timers/promises';

interface Announced {
  type: string;
  payload: { message?: string } | null;
}

/** A stream of live events as a browser keeps it: opened again when it ends, after the last event that came. */
interface Stream {
  /** the ids of messages announced so far, in order */
  messages(): string[];
  close(): void;
}

const RETRY_MS = 100;

/**
 * Opens the stream of a signed-in user and waits until it is there.
 * @throws Error when the first answer is not a stream
 */
export async function openStream(origin: string, cookie: string): Promise<Stream> {
  const closing = new AbortController();
  const announced: Announced[] = [];
  let last = '';
  const connect = async () => {
    const answer = await fetch(`${origin}/api/events`, {
      headers: { cookie, ...(last && { 'last-event-id': last }) },
      signal: closing.signal,
    });
    if (answer.status !== 200 || !answer.body) throw new Error(`The stream answered ${answer.status}`);
    return answer.body;
  };
  const read = async (body: ReadableStream<Uint8Array>) => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const piece of body) {
      const blocks = (rest + decoder.decode(piece, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
        last = field('id') ?? last;
        const data = field('data');
        if (data) announced.push(JSON.parse(data) as Announced);
      }
    }
  };
  const keep = async (first: ReadableStream<Uint8Array>) => {
    let body: ReadableStream<Uint8Array> | null = first;
    while (!closing.signal.aborted) {
      // A stream that breaks is opened again, as one that ends.
      if (body) await read(body).catch(() => undefined);
      await wait(RETRY_MS);
      body = closing.signal.aborted ? null : await connect().catch(() => null);
    }
  };
  void keep(await connect());
  return {
    messages: () =>
      announced.flatMap(({ type, payload }) =>
        type === 'inquiry.message' && payload?.message ? [payload.message] : [],
      ),
    close: () => closing.abort(),
  };
}
