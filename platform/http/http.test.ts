import { setTimeout as wait } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Forbidden, NotFound, TooManyRequests } from '#platform/errors.ts';
import { httpSeconds } from '#platform/metrics.ts';
import { type Ask, ask } from '#tests/support/ask.ts';
import { testConfig } from '#tests/support/context.ts';
import { accessLog } from './access-log.ts';
import { answerError, answerNotFound } from './answers.ts';
import { arrival } from './arrival.ts';
import { limitBody } from './body-limit.ts';
import { compression } from './compression.ts';
import type { HttpEnv } from './environment.ts';
import { requireOwnOrigin } from './own-origin.ts';
import { securityHeaders } from './security-headers.ts';
import { type Listening, listen } from './serve.ts';

const PAGE = `<!doctype html>${'<p>A house with a garden</p>'.repeat(200)}`;
let listening: Listening | undefined;
let logged: Record<string, unknown>[] = [];
let cancelled = 0;

async function serve(changes: Partial<typeof testConfig> = {}): Promise<number> {
  logged = [];
  cancelled = 0;
  const config = { ...testConfig, publicUrl: 'https://market.example', ...changes };
  const log = pino({ level: 'trace' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const app = new Hono<HttpEnv>();
  app.onError(answerError);
  app.notFound(answerNotFound);
  app.use(arrival(config, log));
  app.use(accessLog);
  app.use(securityHeaders(config, { scriptHashes: ['sha256-AAAA'], secretPaths: ['/reset-password'] }));
  app.use(compression);
  app.use(requireOwnOrigin(config, ['/api/webhooks/']));
  app.use(limitBody(2_048, { '/upload': 8_192 }));
  app.get('/facts', (c) =>
    c.json({ id: c.get('requestId'), ip: c.get('ip'), url: c.req.url, nonce: c.get('secureHeadersNonce') }),
  );
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
        await wait(300);
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
  await listening?.close(0);
  listening = undefined;
});

const facts = async (port: number, headers: Record<string, string> = {}) =>
  JSON.parse((await ask(port, '/facts', { headers })).text) as Record<string, string>;

describe('arrival', () => {
  const forged = {
    'x-request-id': 'chosen-by-stranger',
    'x-forwarded-for': '6.6.6.6',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil.example',
  };

  it('believes nothing that a stranger says about himself', async () => {
    const port = await serve();
    const seen = await facts(port, forged);
    expect(seen.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(seen.ip).toBe('127.0.0.1');
    expect(seen.url).toBe(`http://127.0.0.1:${port}/facts`);
  });

  it('believes the balancer, and of its list only what it added itself', async () => {
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
});

describe('security headers', () => {
  it('allow inline scripts by nonce and hash alone, another nonce for each answer', async () => {
    const port = await serve();
    const first = await ask(port, '/facts');
    const policy = String(first.headers['content-security-policy']);
    const { nonce } = JSON.parse(first.text) as { nonce: string };
    expect(policy).toContain(`script-src 'self' 'nonce-${nonce}' 'sha256-AAAA';`);
    expect(policy).toContain("frame-ancestors 'none'");
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

  it('keep secret addresses from travelling, ask for https only where there is https, let map tiles in', async () => {
    const port = await serve({
      publicUrl: 'http://localhost:3000',
      mapTilesUrl: 'https://{s}.tiles.example/{z}/{x}/{y}.png',
    });
    const secret = await ask(port, '/reset-password?token=1');
    expect(secret.headers['referrer-policy']).toBe('no-referrer');
    expect(secret.headers).not.toHaveProperty('strict-transport-security');
    const policy = String(secret.headers['content-security-policy']);
    expect(policy).toContain("img-src 'self' data: blob: https://*.tiles.example;");
    expect(policy).not.toContain('upgrade-insecure-requests');
  });

  it('stand on redirects and errors too', async () => {
    const port = await serve();
    for (const path of ['/leave', '/broken', '/nowhere', '/forbidden'])
      expect((await ask(port, path)).headers).toHaveProperty('content-security-policy');
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
      expect((await ask(port, '/page', { method, headers })).status).toBe(403);
  });

  const accepted: [string, Record<string, string>][] = [
    ['our public address', { origin: 'https://market.example' }],
    ['our page', { origin: 'https://market.example', 'sec-fetch-site': 'same-origin' }],
    ['our page that sends no referrer', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
  ];
  it.each(accepted)('is accepted: %s', async (_, headers) => {
    const port = await serve();
    const answer = await ask(port, '/write', { method: 'POST', headers, body: 'abc' });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ got: 3, origin: `http://127.0.0.1:${port}` });
  });

  it('is the address asked, on a machine reached by another name', async () => {
    const port = await serve();
    const headers = { origin: `http://127.0.0.1:${port}` };
    expect((await ask(port, '/write', { method: 'POST', headers })).status).toBe(200);
  });

  it('does not matter for reading, nor for webhooks, which prove their sender themselves', async () => {
    const port = await serve();
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await ask(port, '/page', { headers })).status).toBe(200);
    expect((await ask(port, '/api/webhooks/stripe', { method: 'POST', headers })).status).toBe(200);
  });
});

describe('compression', () => {
  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip;q=1.0, br;q=0', gunzipSync],
  ])('gives %s to whom accepts %s', async (encoding, accepted, unpack) => {
    const port = await serve();
    const answer = await ask(port, '/page', { headers: { 'accept-encoding': accepted } });
    expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
    expect(answer.headers).not.toHaveProperty('content-length');
    expect(unpack(answer.body).toString()).toBe(PAGE);
    expect(answer.body.length).toBeLessThan(PAGE.length / 5);
  });

  it('sends the first part of a streamed page before the last is known', async () => {
    const port = await serve();
    for (const encoding of ['br', 'gzip']) {
      const answer = await ask(port, '/slow', { headers: { 'accept-encoding': encoding } });
      expect(answer.headers['content-encoding']).toBe(encoding);
      const unpacked = encoding === 'br' ? brotliDecompressSync(answer.body) : gunzipSync(answer.body);
      expect(unpacked.toString()).toBe(`${PAGE}<p>late</p>`);
      expect(answer.arrivals[0]).toBeLessThan(200);
      expect(answer.arrivals.at(-1)).toBeGreaterThan(290);
    }
  });

  it.each(['/picture', '/events'])('leaves %s as it is', async (path) => {
    const port = await serve();
    const answer = await ask(port, path, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  it('ends the page when its reader goes away', async () => {
    const port = await serve();
    const leaving = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${port}/slow`, {
      signal: leaving.signal,
      headers: { 'accept-encoding': 'br' },
    });
    expect(answer.headers.get('content-encoding')).toBe('br');
    await answer.body?.getReader().read();
    leaving.abort();
    await vi.waitFor(() => expect(cancelled).toBe(1), { timeout: 2_000 });
  });

  it('leaves answers without a body, and clients that accept none', async () => {
    const port = await serve();
    const head = await ask(port, '/page', { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect(head.headers).not.toHaveProperty('content-encoding');
    expect((await ask(port, '/page')).text).toBe(PAGE);
  });
});

describe('faults', () => {
  it('carry their text in the form that was asked for', async () => {
    const port = await serve();
    const hidden = await ask(port, '/api/hidden');
    expect(hidden.status).toBe(404);
    expect(JSON.parse(hidden.text)).toEqual({
      error: 'Not found',
      requestId: hidden.headers['x-request-id'],
    });
    const forbidden = await ask(port, '/forbidden');
    expect([forbidden.status, forbidden.text]).toEqual([
      403,
      `Not authorized\nRequest ${forbidden.headers['x-request-id']}\n`,
    ]);
    expect((await ask(port, '/nowhere')).status).toBe(404);
    const busy = await ask(port, '/busy');
    expect([busy.status, busy.headers['retry-after']]).toEqual([429, '17']);
  });

  it('of ours tell people an id and nobody else the reason', async () => {
    const port = await serve();
    const broken = await ask(port, '/broken');
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

describe('the size of a request', () => {
  const write = (port: number, path: string, bytes: number, headers: Ask['headers'] = {}) =>
    ask(port, path, {
      method: 'POST',
      headers: { origin: 'https://market.example', ...headers },
      body: 'x'.repeat(bytes),
    });

  it('is bounded, wider where files arrive', async () => {
    const port = await serve();
    expect((await write(port, '/write', 2_048)).status).toBe(200);
    const refused = await write(port, '/write', 2_049);
    expect([refused.status, refused.text]).toEqual([413, expect.stringContaining('at most 2 kB')]);
    expect((await write(port, '/upload', 8_192)).status).toBe(200);
    expect((await write(port, '/upload', 8_193)).status).toBe(413);
  });

  it('is bounded also when it is not told', async () => {
    const port = await serve();
    const headers = { 'transfer-encoding': 'chunked' };
    expect((await write(port, '/write', 2_049, headers)).status).toBe(413);
    expect(JSON.parse((await write(port, '/write', 100, headers)).text)).toMatchObject({ got: 100 });
  });
});

it('every request leaves one line without its query, and one measurement', async () => {
  const port = await serve();
  httpSeconds.reset();
  const answer = await ask(port, '/page?token=secret');
  await wait(20);
  const lines = logged.filter(({ msg }) => msg === 'request');
  expect(lines).toMatchObject([
    { level: 30, method: 'GET', path: '/page', status: 200, requestId: answer.headers['x-request-id'] },
  ]);
  expect(JSON.stringify(logged)).not.toContain('secret');
  const counted = (await httpSeconds.get()).values.filter(({ metricName }) => metricName?.endsWith('_count'));
  expect(counted).toMatchObject([{ value: 1, labels: { method: 'GET', route: '/page', status: 200 } }]);
});
