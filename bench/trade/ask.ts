import { Agent, type OutgoingHttpHeaders, request } from 'node:http';

export interface Question {
  method?: 'GET' | 'POST';
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: Uint8Array | string;
}
export interface Answer {
  status: number;
  text: string;
  /** milliseconds from `since` to the last byte */
  took: number;
}

/** One server with connections that are kept. */
export interface Line {
  /** Asks; the time counts from `since` (of `performance.now()`), so that waiting for a turn counts as well. */
  ask(question: Question, since?: number): Promise<Answer>;
  close(): void;
}

/** Opens `connections` at once, as browsers and providers hold them open already. */
export async function openLine(origin: string, connections: number): Promise<Line> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: connections });
  const line: Line = {
    ask: (question, since = performance.now()) => ask(agent, origin, question, since),
    close: () => agent.destroy(),
  };
  await Promise.all(Array.from({ length: connections }, () => line.ask({ method: 'GET', path: '/healthz' })));
  return line;
}

const ask = (agent: Agent, origin: string, question: Question, since: number): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method = 'POST', path, headers = {}, body = '' } = question;
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    const options = { method, agent, headers: { ...headers, 'content-length': length } };
    const asked = request(`${origin}${path}`, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.once('error', reject);
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, text, took: performance.now() - since }),
      );
    });
    asked.once('error', (error: NodeJS.ErrnoException) => {
      // A server closes a connection that was idle for seconds, perhaps at this very moment: as browsers do, ask again.
      const wasIdle = asked.reusedSocket && error.code === 'ECONNRESET';
      if (wasIdle) ask(agent, origin, question, since).then(resolve, reject);
      else reject(error);
    });
    asked.end(body);
  });
