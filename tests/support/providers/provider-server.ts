import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What happens to a request instead of the normal response. The request is not executed for a status number, `reset`
 * (connection dropped), `silence` (no response), a raw response, or `kept500` (a server error that is stored for the
 * idempotency key). It is executed for `lost` (connection dropped), `half` (dropped within the body) and `garbage` (no JSON).
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

type ProviderResponse = { status: number; body: unknown; headers?: Record<string, string> };

export type ProviderServer = {
  url: string;
  /** A queue, one entry for each request; null means no fault. */
  queuedFaults: (Fault | null)[];
  /** `fault` applies while the queue is empty; `before` is called just before each request is executed. */
  faultSettings: { fault: Fault | null; beforeExecute: ((line: string) => void) | null };
  /** `METHOD /path` of every request received, in order. */
  requests: string[];
  stop(): Promise<void>;
};

/** How a provider responds, and the error body that it sends with a plain status. */
export type Provider = {
  answer(request: ProviderRequest, fails: boolean): ProviderResponse;
  errorBody(status: number): unknown;
};

/** An HTTP server in this process that responds as the provider does and can inject faults. */
export async function startProviderServer(provider: Provider): Promise<ProviderServer> {
  const queuedFaults: ProviderServer['queuedFaults'] = [];
  const faultSettings: ProviderServer['faultSettings'] = { fault: null, beforeExecute: null };
  const requests: string[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '/', headers, socket } = incoming;
    requests.push(`${method} ${url}`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const next = queuedFaults.shift();
    const fault = next === undefined ? faultSettings.fault : next;
    if (fault === 'silence') return;
    if (fault === 'reset') return socket.destroy();
    if (typeof fault === 'number') return send(response, { status: fault, body: provider.errorBody(fault) });
    if (typeof fault === 'object' && fault !== null) return response.writeHead(fault.status).end(fault.body);
    const request = { method, url: new URL(url, `http://${headers.host}`), headers, body };
    faultSettings.beforeExecute?.(`${method} ${url}`);
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
    queuedFaults,
    faultSettings,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, { status, body, headers }: ProviderResponse): ServerResponse {
  return response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));
}

function sendHalf(response: ServerResponse, { status, body, headers }: ProviderResponse): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    'content-length': bytes.length,
  });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy());
}
