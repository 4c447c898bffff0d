import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What happens instead of the normal response: a status with a body; `reset`, the connection is dropped without executing the request;
 * `lost`, it is executed but the connection dropped; `half`, the response breaks off.
 */
export type Fault = { status: number; body: string } | 'reset' | 'lost' | 'half';

export interface FakeServer {
  url: string;
  /** a queue, one entry for each request */
  faults: Fault[];
  /** what happens to every request while it lasts; null: nothing */
  outage: { fault: Fault | null };
  /** `METHOD /path?query` of every request received, in order */
  requests: string[];
  stop(): Promise<void>;
}

/** A server in this process that answers with what `answer` makes of each request, whose body may be binary. */
export async function startFakeServer(answer: (request: Request) => Promise<Response>): Promise<FakeServer> {
  const faults: Fault[] = [];
  const outage: FakeServer['outage'] = { fault: null };
  const requests: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = 'GET', url = '/', headers } = incoming;
    requests.push(`${method} ${url}`);
    const fault = outage.fault ?? faults.shift();
    if (fault === 'reset') return incoming.socket.destroy();
    if (typeof fault === 'object') return outgoing.writeHead(fault.status).end(fault.body);
    const hasBody = method !== 'GET' && method !== 'HEAD' && chunks.length > 0;
    const response = await answer(
      new Request(`http://${headers.host}${url}`, {
        method,
        headers: new Headers(
          Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
        ),
        ...(hasBody && { body: Buffer.concat(chunks) }),
      }),
    );
    const body = Buffer.from(await response.arrayBuffer());
    if (fault === 'lost') return incoming.socket.destroy();
    outgoing.writeHead(response.status, {
      ...Object.fromEntries(response.headers),
      'content-length': String(fault === 'half' ? body.length + 100 : body.length),
    });
    if (fault === 'half') {
      outgoing.write(body);
      setImmediate(() => incoming.socket.destroy());
    } else outgoing.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // One that a file of browser tests shares has no end: a worker takes the tests of a file one by one.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    outage,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The file of a multipart form, and the form's other fields; null without a file. */
export async function formOf(
  request: Request,
): Promise<{ name: string; bytes: Uint8Array; fields: Record<string, string> } | null> {
  const form = await request.formData();
  const file = form.get('file');
  if (!(file instanceof File)) return null;
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return {
    name: file.name,
    bytes: new Uint8Array(await file.arrayBuffer()),
    fields: Object.fromEntries(texts),
  };
}
