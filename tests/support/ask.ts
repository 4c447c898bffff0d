import { type IncomingHttpHeaders, request } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
  /** milliseconds from the request to each piece of the body */
  arrivals: number[];
}

export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** A request over a socket of its own with exactly these headers, as no browser or fetch would send them. */
export function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Ask = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const asking = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (answer) => {
      const pieces: Buffer[] = [];
      const arrivals: number[] = [];
      answer.on('data', (piece: Buffer) => {
        pieces.push(piece);
        arrivals.push(performance.now() - began);
      });
      answer.once('error', reject);
      answer.once('end', () => {
        const whole = Buffer.concat(pieces);
        const { statusCode: status = 0, headers } = answer;
        resolve({ status, headers, body: whole, text: whole.toString('utf8'), arrivals });
      });
    });
    asking.once('error', reject);
    asking.end(body);
  });
}
