import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sellerPaths } from '#routing/seller-paths.ts';
import { PIXEL } from '#tests/access/support/photos.ts';
import { startTestApp, type TestApp } from '#tests/access/support/test-app.ts';
import { productionFolder } from '#tests/support/server/production-folder.ts';

let folder: ReturnType<typeof productionFolder>;
let app: TestApp;
beforeAll(async () => {
  folder = productionFolder();
  app = await startTestApp({}, 'embedded', folder.path);
});
afterAll(async () => {
  await app?.close();
  folder?.remove();
});

it('the build serves pages with production packages alone, without the sources', async () => {
  for (const absent of ['node_modules/@react-router/dev', 'node_modules/lighthouse', 'gateways', 'platform'])
    expect(existsSync(join(folder.path, absent))).toBe(false);
  const home = await app.call('/');
  expect(home.status).toBe(200);
  const asset = /\/assets\/[\w.-]+\.js/.exec(home.text)?.[0] ?? '';
  expect((await app.call(asset)).status).toBe(200);
});

it('the build takes photographs, which are made by a process of its own', async () => {
  const propertyId = await app.scenario.listing('A’s Active');
  const answer = await app.call(sellerPaths.photoUpload({ propertyId }, { key: randomUUID(), position: 0 }), {
    method: 'POST',
    as: 'sellerA',
    headers: { 'sec-fetch-site': 'same-origin', accept: 'application/json' },
    body: PIXEL,
  });
  expect(answer.text).toContain('"photo"');
  expect(answer.status).toBe(201);
});

it('the build knows where ZIP codes are', async () => {
  const address = encodeURIComponent('12 Garden Street, Portland, OR 97201');
  const answer = await app.call(`/api/place?address=${address}`, { as: 'sellerA' });
  expect(JSON.parse(answer.text)).toEqual({ place: expect.stringMatching(/^45\.5\d+,-122\.6\d+ zip$/) });
});
