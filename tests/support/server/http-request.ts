import { type IncomingHttpHeaders, request } from 'node:http';

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
}

export interface HttpRequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Sends a request on its own connection with exactly these headers, which a browser or fetch would not allow. */
export function sendRequest(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: HttpRequestOptions = {},
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () => {
        const fullBody = Buffer.concat(chunks);
        const { statusCode: status = 0, headers } = incoming;
        resolve({ status, headers, body: fullBody, text: fullBody.toString('utf8') });
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
