import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppRequest, sameOriginForm, startTestApp, type TestApp } from './support/test-app.ts';

const GIGABYTE = 1024 ** 3;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** A form of this size is announced, and none of it sent: an answer therefore came before anything was read. */
const announce = async (as: AppRequest['as'], bytes: number) =>
  app.call(`/admin/properties/${await app.scenario.listing('A’s Active')}/edit`, {
    as,
    method: 'POST',
    headers: {
      'sec-fetch-site': 'same-origin',
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': String(bytes),
    },
  });

it('a form of a gigabyte is refused before it is sent, also when an administrator sends it', async () => {
  for (const as of ['anonymous', 'buyerA', 'sellerA', 'admin'] as const) {
    const { status, text } = await announce(as, GIGABYTE);
    expect([status, text]).toEqual([413, expect.stringContaining('too large')]);
  }
});

it('a form as large as a document is for administrators alone', async () => {
  expect((await announce('buyerA', 26 * 1024 * 1024)).status).toBe(413);
  expect((await announce('anonymous', 26 * 1024 * 1024)).status).toBe(413);
});

it('a form with a file is for the seller of the listing, and for the two of the conversation', async () => {
  const listing = await app.scenario.listing('A’s Active');
  const form = sameOriginForm({ text: 'x'.repeat(300_000) });
  for (const path of [`/agent/properties/${listing}/disclosures`, `/inquiries/${randomUUID()}/file`])
    expect((await app.call(path, { ...form, as: 'buyerB' })).status).toBe(413);
});

it('a published address gives out nothing else, whatever it is asked for', async () => {
  for (const cid of ['secret', '..%2F..%2Fsecret', '%00', 'bafkrei', 'x'.repeat(5_000)])
    expect([400, 404, 414]).toContain((await app.call(`/content/${cid}`)).status);
});
