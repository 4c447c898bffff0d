import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Forbidden, NotFound, TooManyRequests } from '#platform/errors.ts';
import { httpSeconds } from '#platform/metrics.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { type HttpRequestOptions, sendRequest } from '#tests/support/server/http-request.ts';
import { accessLog } from './access-log.ts';
import { limitBody } from './body-limit.ts';
import { compression } from './compression.ts';
import type { HttpEnv } from './environment.ts';
import { errorHandler, notFoundHandler } from './error-responses.ts';
import { requestContext } from './request-context.ts';
import { requireSameOrigin } from './same-origin.ts';
import { securityHeaders } from './security-headers.ts';
import { type Listening, listen } from './serve.ts';

const PAGE = `<!doctype html>${'<p>A house with a garden</p>'.repeat(200)}`;
const LIST = Array.from({ length: 200 }, (_, n) => ({ id: n, city: 'Springfield' }));
let listening: Listening | undefined;
let logged: Record<string, unknown>[] = [];
let cancelled = 0;
/** The end of the page that is sent in two parts, which waits for the test. */
let rest = Promise.withResolvers<void>();

async function serve(changes: Partial<typeof testConfig> = {}): Promise<number> {
  logged = [];
  cancelled = 0;
  rest = Promise.withResolvers();
  const config = { ...testConfig, publicUrl: 'https://market.example', ...changes };
  const log = pino({ level: 'trace' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler);
  app.notFound(notFoundHandler);
  app.use(requestContext(config, log));
  app.use(accessLog);
  app.use(securityHeaders(config, { scriptHashes: ['sha256-AAAA'], secretPaths: ['/reset-password'] }));
  app.use(compression);
  app.use(requireSameOrigin(config, ['/api/webhooks/']));
  app.use(limitBody(2_048, { '/upload': 8_192 }));
  app.get('/facts', (c) =>
    c.json({ id: c.get('requestId'), ip: c.get('ip'), url: c.req.url, nonce: c.get('secureHeadersNonce') }),
  );
  app.get('/list', (c) => c.json(LIST));
  app.get('/file', (c) => c.json(LIST, 200, { 'content-disposition': 'attachment; filename="list.json"' }));
  app.all('/page', (c) => c.html(PAGE));
  app.get('/reset-password', (c) => c.html('<form method="post">'));
  app.get('/leave', () => Response.redirect('https://market.example/page', 302));
  app.get('/picture', (c) => c.body(Buffer.alloc(5_000, 'x'), 200, { 'content-type': 'image/webp' }));
  app.get('/events', (c) =>
    c.body(`data: ${'x'.repeat(3_000)}\n\n`, 200, { 'content-type': 'text/event-stream' }),
  );
  app.get('/slow', (c) => {
    const pieces = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(PAGE));
        await rest.promise;
        if (cancelled) return;
        controller.enqueue(new TextEncoder().encode('<p>late</p>'));
        controller.close();
      },
      cancel() {
        cancelled++;
      },
    });
    return c.body(pieces, 200, { 'content-type': 'text/html; charset=utf-8' });
  });
  for (const path of ['/write', '/upload', '/api/webhooks/stripe', '/api/write'])
    app.post(path, async (c) =>
      c.json({ got: (await c.req.text()).length, origin: c.req.header('origin') ?? null }),
    );
  app.get('/api/hidden', () => {
    throw new NotFound();
  });
  app.get('/forbidden', () => {
    throw new Forbidden();
  });
  app.get('/busy', () => {
    throw new TooManyRequests(17);
  });
  app.get('/broken', () => {
    throw new Error('password of the database is hunter2');
  });
  listening = await listen(app.fetch, { port: 0, host: '127.0.0.1' });
  return listening.port;
}
afterEach(async () => {
  rest.resolve();
  await listening?.close(0);
  listening = undefined;
});

const facts = async (port: number, headers: Record<string, string> = {}) =>
  JSON.parse((await sendRequest(port, '/facts', { headers })).text) as Record<string, string>;

describe('request context', () => {
  const forged = {
    'x-request-id': 'chosen-by-stranger',
    'x-forwarded-for': '6.6.6.6',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil.example',
  };

  it('ignores proxy headers from untrusted clients', async () => {
    const port = await serve();
    const seen = await facts(port, forged);
    expect(seen.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(seen.ip).toBe('127.0.0.1');
    expect(seen.url).toBe(`http://127.0.0.1:${port}/facts`);
  });

  it('trusts the load balancer, but only the address that it appended itself', async () => {
    const port = await serve({ behindProxy: true });
    const seen = await facts(port, {
      'x-request-id': 'balancer-4711',
      'x-forwarded-for': '6.6.6.6, 192.0.2.7',
      'x-forwarded-proto': 'https',
      host: 'market.example',
    });
    expect(seen).toMatchObject({
      id: 'balancer-4711',
      ip: '192.0.2.7',
      url: 'https://market.example/facts',
    });
    expect((await facts(port, { 'x-request-id': 'a b\tc' })).id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('takes the port with the name from the load balancer, not that at which it was reached itself', async () => {
    const port = await serve({ behindProxy: true });
    const urlFor = async (host: string, protocol = 'https') =>
      (await facts(port, { 'x-forwarded-proto': protocol, 'x-forwarded-host': host })).url;
    expect(await urlFor('market.example')).toBe('https://market.example/facts');
    expect(await urlFor('market.example', 'http')).toBe('http://market.example/facts');
    expect(await urlFor('market.example:8443')).toBe('https://market.example:8443/facts');
  });
});

describe('security headers', () => {
  it('allow inline scripts only by nonce and hash, with a new nonce for each response', async () => {
    const port = await serve();
    const first = await sendRequest(port, '/facts');
    const policy = String(first.headers['content-security-policy']);
    const { nonce } = JSON.parse(first.text) as { nonce: string };
    expect(policy).toContain(`script-src 'self' 'nonce-${nonce}' 'sha256-AAAA';`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("img-src 'self' data: blob:;");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect((await facts(port)).nonce).not.toBe(nonce);
    expect(first.headers).toMatchObject({
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  it('protect secret URLs, require https only where the site uses it, and allow map tiles', async () => {
    const port = await serve({
      publicUrl: 'http://localhost:3000',
      mapTilesUrl: 'https://{s}.tiles.example/{z}/{x}/{y}.png',
    });
    const secret = await sendRequest(port, '/reset-password?token=1');
    expect(secret.headers['referrer-policy']).toBe('no-referrer');
    expect(secret.headers).not.toHaveProperty('strict-transport-security');
    const policy = String(secret.headers['content-security-policy']);
    expect(policy).toContain("img-src 'self' data: blob: https://*.tiles.example;");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toContain('upgrade-insecure-requests');
    const withFile = await serve({
      publicUrl: 'http://localhost:3000',
      mapTilesUrl: 'https://files.example/oregon.pmtiles',
    });
    const filePolicy = String((await sendRequest(withFile, '/')).headers['content-security-policy']);
    expect(filePolicy).toContain("connect-src 'self' https://files.example;");
    expect(filePolicy).toContain("img-src 'self' data: blob:;");
  });

  it('are set on redirects and errors too', async () => {
    const port = await serve();
    for (const path of ['/leave', '/broken', '/nowhere', '/forbidden'])
      expect((await sendRequest(port, path)).headers).toHaveProperty('content-security-policy');
  });
});

describe('the origin of a write', () => {
  const refused: [string, Record<string, string>][] = [
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another site without fetch metadata', { origin: 'https://evil.example' }],
    ['a sister domain', { origin: 'https://blog.market.example', 'sec-fetch-site': 'same-site' }],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['an opaque origin', { origin: 'null' }],
    ['our host in clear', { origin: 'http://market.example' }],
    ['nobody', {}],
  ];
  it.each(refused)('is refused: %s', async (_, headers) => {
    const port = await serve();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect((await sendRequest(port, '/page', { method, headers })).status).toBe(403);
  });

  const accepted: [string, Record<string, string>][] = [
    ['our public address', { origin: 'https://market.example' }],
    ['our page', { origin: 'https://market.example', 'sec-fetch-site': 'same-origin' }],
    ['our page that sends no referrer', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
  ];
  it.each(accepted)('is accepted: %s', async (_, headers) => {
    const port = await serve();
    const answer = await sendRequest(port, '/write', { method: 'POST', headers, body: 'abc' });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ got: 3, origin: `http://127.0.0.1:${port}` });
  });

  it('may be the requested host when it differs from the public URL', async () => {
    const port = await serve();
    const headers = { origin: `http://127.0.0.1:${port}` };
    expect((await sendRequest(port, '/write', { method: 'POST', headers })).status).toBe(200);
  });

  it('does not matter for reads, nor for webhooks, which are signed', async () => {
    const port = await serve();
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await sendRequest(port, '/page', { headers })).status).toBe(200);
    expect((await sendRequest(port, '/api/webhooks/stripe', { method: 'POST', headers })).status).toBe(200);
  });
});

describe('compression', () => {
  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip;q=1.0, br;q=0', gunzipSync],
  ])('uses %s for %s', async (encoding, accepted, unpack) => {
    const port = await serve();
    const answer = await sendRequest(port, '/page', { headers: { 'accept-encoding': accepted } });
    expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
    expect(answer.headers).not.toHaveProperty('content-length');
    expect(unpack(answer.body).toString()).toBe(PAGE);
    expect(answer.body.length).toBeLessThan(PAGE.length / 5);
  });

  it('sends the first part of a streamed page before the last is known', async () => {
    for (const encoding of ['br', 'gzip']) {
      await listening?.close(0);
      const port = await serve();
      const answer = await fetch(`http://127.0.0.1:${port}/slow`, {
        headers: { 'accept-encoding': encoding },
      });
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      const parts = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      // Were the first part held back, this would wait forever.
      while (text.length < PAGE.length) {
        const part = await parts?.read();
        if (!part?.value) break;
        text += part.value;
      }
      expect(text).toBe(PAGE);
      rest.resolve();
      for (let part = await parts?.read(); part?.value; part = await parts?.read()) text += part.value;
      expect(text).toBe(`${PAGE}<p>late</p>`);
    }
  });

  it.each(['/picture', '/events'])('does not compress %s', async (path) => {
    const port = await serve();
    const answer = await sendRequest(port, path, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  it('leaves short data as it is, whose length is then known', async () => {
    const port = await serve();
    const answer = await sendRequest(port, '/facts', { headers: { 'accept-encoding': 'br' } });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.headers).toMatchObject({
      vary: 'accept-encoding',
      'content-length': `${answer.body.length}`,
    });
    expect(JSON.parse(answer.text)).toMatchObject({ ip: '127.0.0.1' });
  });

  it('compresses long data in one piece, and a file of data as it comes', async () => {
    const port = await serve();
    const [list, file] = await Promise.all(
      ['/list', '/file'].map((path) => sendRequest(port, path, { headers: { 'accept-encoding': 'br' } })),
    );
    for (const answer of [list, file]) {
      expect(answer?.headers['content-encoding']).toBe('br');
      expect(JSON.parse(brotliDecompressSync(answer?.body ?? '').toString())).toEqual(LIST);
    }
    expect(list?.headers['content-length']).toBe(`${list?.body.length}`);
    expect(file?.headers).toHaveProperty('transfer-encoding', 'chunked');
  });

  it('stops the stream when the client disconnects', async () => {
    const port = await serve();
    const leaving = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${port}/slow`, {
      signal: leaving.signal,
      headers: { 'accept-encoding': 'br' },
    });
    expect(answer.headers.get('content-encoding')).toBe('br');
    await answer.body?.getReader().read();
    leaving.abort();
    await vi.waitFor(() => expect(cancelled).toBe(1), { timeout: 20_000 });
  });

  it('skips responses without a body, and clients that do not accept it', async () => {
    const port = await serve();
    const head = await sendRequest(port, '/page', { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect(head.headers).not.toHaveProperty('content-encoding');
    expect((await sendRequest(port, '/page')).text).toBe(PAGE);
  });
});

describe('errors', () => {
  it('are rendered in the requested format', async () => {
    const port = await serve();
    const hidden = await sendRequest(port, '/api/hidden');
    expect(hidden.status).toBe(404);
    expect(JSON.parse(hidden.text)).toEqual({
      error: 'Not found',
      requestId: hidden.headers['x-request-id'],
    });
    const forbidden = await sendRequest(port, '/forbidden');
    expect([forbidden.status, forbidden.text]).toEqual([
      403,
      `Not authorized\nRequest ${forbidden.headers['x-request-id']}\n`,
    ]);
    expect((await sendRequest(port, '/nowhere')).status).toBe(404);
    const busy = await sendRequest(port, '/busy');
    expect([busy.status, busy.headers['retry-after']]).toEqual([429, '17']);
  });

  it('that are unexpected show only a request id and are logged', async () => {
    const port = await serve();
    const broken = await sendRequest(port, '/broken');
    expect(broken.status).toBe(500);
    expect(broken.text).not.toContain('hunter2');
    expect(broken.text).toContain(String(broken.headers['x-request-id']));
    expect(logged).toContainEqual(
      expect.objectContaining({
        msg: 'request failed',
        requestId: broken.headers['x-request-id'],
        err: expect.objectContaining({ message: expect.stringContaining('hunter2') }),
      }),
    );
  });
});

describe('the size of a request body', () => {
  const write = (port: number, path: string, bytes: number, headers: HttpRequestOptions['headers'] = {}) =>
    sendRequest(port, path, {
      method: 'POST',
      headers: { origin: 'https://market.example', ...headers },
      body: 'x'.repeat(bytes),
    });

  it('is limited, with higher limits for uploads', async () => {
    const port = await serve();
    expect((await write(port, '/write', 2_048)).status).toBe(200);
    const refused = await write(port, '/write', 2_049);
    expect([refused.status, refused.text]).toEqual([413, expect.stringContaining('at most 2 kB')]);
    expect((await write(port, '/upload', 8_192)).status).toBe(200);
    expect((await write(port, '/upload', 8_193)).status).toBe(413);
  });

  it('is limited also without Content-Length', async () => {
    const port = await serve();
    const headers = { 'transfer-encoding': 'chunked' };
    expect((await write(port, '/write', 2_049, headers)).status).toBe(413);
    expect(JSON.parse((await write(port, '/write', 100, headers)).text)).toMatchObject({ got: 100 });
  });
});

it('logs each request once without its query, and measures it once', async () => {
  const port = await serve();
  httpSeconds.reset();
  const answer = await sendRequest(port, '/page?token=secret');
  const lines = () => logged.filter(({ msg }) => msg === 'request');
  await vi.waitFor(() => expect(lines()).not.toEqual([]), { timeout: 20_000 });
  // What comes after a second request would show a second line of the first.
  const next = await sendRequest(port, '/page');
  await vi.waitFor(() => expect(JSON.stringify(lines())).toContain(String(next.headers['x-request-id'])), {
    timeout: 20_000,
  });
  const ofFirst = lines().filter(({ requestId }) => requestId === answer.headers['x-request-id']);
  expect(ofFirst).toMatchObject([{ level: 30, method: 'GET', path: '/page', status: 200 }]);
  expect(JSON.stringify(logged)).not.toContain('secret');
  const counted = (await httpSeconds.get()).values.filter(({ metricName }) => metricName?.endsWith('_count'));
  expect(counted).toMatchObject([{ value: 2, labels: { method: 'GET', route: '/page', status: 200 } }]);
});
