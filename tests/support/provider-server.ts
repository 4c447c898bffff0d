import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What a request meets instead of its answer. Nothing is done behind a status, `reset` (the connection drops), `silence` (no
 * answer at all), a raw answer, and `kept500` (the provider fails in the middle and keeps that answer for the key). The work
 * is done behind `lost` (the connection drops), `half` (it drops within the body) and `garbage` (the body is no JSON).
 */
export type Fault =
  | number
  | 'reset'
  | 'silence'
  | 'lost'
  | 'half'
  | 'garbage'
  | 'kept500'
  | { status: number; body: string };

export type ProviderRequest = {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
};

export type ProviderAnswer = { status: number; body: unknown; headers?: Record<string, string> };

export type ProviderServer = {
  url: string;
  /** Taken from the front, one a request; null is good weather. */
  faults: (Fault | null)[];
  /** `fault` meets every request that finds none above; `before` sees each request just before it is worked on. */
  weather: { fault: Fault | null; before: ((line: string) => void) | null };
  /** `METHOD /path` of every request that came in, in order. */
  requests: string[];
  stop(): Promise<void>;
};

/** How a provider answers, and how it words the refusal behind a bare status. */
export type Provider = {
  answer(request: ProviderRequest, fails: boolean): ProviderAnswer;
  refusal(status: number): unknown;
};

/** An HTTP server in this process that answers as the provider does, in any weather. */
export async function startProviderServer(provider: Provider): Promise<ProviderServer> {
  const faults: ProviderServer['faults'] = [];
  const weather: ProviderServer['weather'] = { fault: null, before: null };
  const requests: string[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '/', headers, socket } = incoming;
    requests.push(`${method} ${url}`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const next = faults.shift();
    const fault = next === undefined ? weather.fault : next;
    if (fault === 'silence') return;
    if (fault === 'reset') return socket.destroy();
    if (typeof fault === 'number') return send(response, { status: fault, body: provider.refusal(fault) });
    if (typeof fault === 'object' && fault !== null) return response.writeHead(fault.status).end(fault.body);
    const request = { method, url: new URL(url, `http://${headers.host}`), headers, body };
    weather.before?.(`${method} ${url}`);
    const answer = provider.answer(request, fault === 'kept500');
    if (fault === 'lost') return socket.destroy();
    if (fault === 'garbage') return response.writeHead(200).end('<html><body>Bad Gateway</body></html>');
    if (fault === 'half') return sendHalf(response, answer);
    return send(response, answer);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    weather,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, { status, body, headers }: ProviderAnswer): ServerResponse {
  return response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));
}

function sendHalf(response: ServerResponse, { status, body, headers }: ProviderAnswer): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    'content-length': bytes.length,
  });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy());
}
