import { Agent, type OutgoingHttpHeaders, request } from 'node:http';

export interface HttpRequest {
  method?: 'GET' | 'POST';
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: Uint8Array | string;
}
export interface HttpResponse {
  status: number;
  text: string;
  /** milliseconds from `since` to the last byte of the response */
  took: number;
}

/** A client for one server with keep-alive connections. */
export interface HttpClient {
  /** Sends a request; time counts from `since` (a `performance.now()`), so that waiting for a turn is included. */
  send(httpRequest: HttpRequest, since?: number): Promise<HttpResponse>;
  close(): void;
}

/** Opens `connections` up front, as browsers and providers keep them open. */
export async function openClient(origin: string, connections: number): Promise<HttpClient> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: connections });
  const client: HttpClient = {
    send: (httpRequest, since = performance.now()) => send(agent, origin, httpRequest, since),
    close: () => agent.destroy(),
  };
  await Promise.all(
    Array.from({ length: connections }, () => client.send({ method: 'GET', path: '/healthz' })),
  );
  return client;
}

const send = (agent: Agent, origin: string, httpRequest: HttpRequest, since: number): Promise<HttpResponse> =>
  new Promise((resolve, reject) => {
    const { method = 'POST', path, headers = {}, body = '' } = httpRequest;
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    const options = { method, agent, headers: { ...headers, 'content-length': length } };
    const outgoing = request(`${origin}${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text, took: performance.now() - since }),
      );
    });
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      // The server may close an idle connection just as it is reused; retry, as browsers do.
      const wasIdle = outgoing.reusedSocket && error.code === 'ECONNRESET';
      if (wasIdle) send(agent, origin, httpRequest, since).then(resolve, reject);
      else reject(error);
    });
    outgoing.end(body);
  });
