import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { createLog } from '#platform/log.ts';
import type { HttpEnv } from './environment.ts';
import { errorHandler } from './error-responses.ts';
import { requireKnownHost } from './known-host.ts';
import { requestContext } from './request-context.ts';

function statusFor(url: string, headers: Record<string, string> = {}, behindProxy = false) {
  const config = {
    publicUrl: 'https://market.example',
    allowedHosts: ['www.market.example'],
    host: '10.0.0.11',
    behindProxy,
  };
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler);
  app.use(requestContext(config, createLog('silent')));
  app.use(requireKnownHost(config));
  app.get('/', (c) => c.text('served'));
  return Promise.resolve(app.request(url, { headers })).then(({ status }) => status);
}

it.each([
  'https://market.example/',
  'http://MARKET.example:8080/',
  'http://market.example./',
  'http://www.market.example/',
  'http://localhost:3000/',
  'http://127.0.0.1/',
  'http://[::1]:3000/',
  'http://10.0.0.11:3000/',
])('serves %s', async (url) => {
  expect(await statusFor(url)).toBe(200);
});

it.each([
  'http://evil.example/',
  'http://market.example.evil.example/',
  'http://evilmarket.example/',
  'http://127.0.0.1.evil.example/',
  'http://192.0.2.7/',
])('refuses %s', async (url) => {
  expect(await statusFor(url)).toBe(421);
});

it('takes the name from the balancer where one is trusted, and only there', async () => {
  const forwarded = { 'x-forwarded-host': 'market.example' };
  expect(await statusFor('http://10.0.0.12:3000/', forwarded, true)).toBe(200);
  expect(await statusFor('http://10.0.0.12:3000/', forwarded)).toBe(421);
  expect(await statusFor('http://market.example/', { 'x-forwarded-host': 'evil.example' }, true)).toBe(421);
});
