import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppRequest, startTestApp, type TestApp } from './support/test-app.ts';

const GIGABYTE = 1024 ** 3;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** A form of this size is announced, and none of it sent: an answer therefore came before anything was read. */
const announceAt = (path: string, as: AppRequest['as'], bytes: number) =>
  app.call(path, {
    as,
    method: 'POST',
    headers: {
      'sec-fetch-site': 'same-origin',
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': String(bytes),
    },
  });
const announce = async (as: AppRequest['as'], bytes: number) =>
  announceAt(`/admin/properties/${await app.scenario.listing('A’s Active')}/edit`, as, bytes);

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

it('nor do the forms for papers about a listing and for files of a conversation take one from anybody', async () => {
  const listing = await app.scenario.listing('A’s Active');
  const nothing = '00000000-0000-4000-8000-000000000000';
  for (const path of [`/agent/properties/${listing}/disclosures`, `/inquiries/${nothing}/file`])
    expect((await announceAt(path, 'anonymous', GIGABYTE)).status).toBe(413);
});

it('a published address gives out nothing else, whatever it is asked for', async () => {
  for (const cid of ['secret', '..%2F..%2Fsecret', '%00', 'bafkrei', 'x'.repeat(5_000)])
    expect([400, 404, 414]).toContain((await app.call(`/content/${cid}`)).status);
});
