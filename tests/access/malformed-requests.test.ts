import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR } from '#platform/durations.ts';
import { mainDatabase } from '#tests/support/database/test-database.ts';
import { createConversation } from './support/conversations.ts';
import { sameOriginForm, startTestApp, type TestApp } from './support/test-app.ts';

describe('what no page of ours sends is refused', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({}, await mainDatabase());
  });
  afterAll(() => app.close());

  const statusOf = async (path: string, body?: Record<string, string>) =>
    (await app.call(path, { as: 'sellerA', ...(body && sameOriginForm(body)) })).status;

  it('an address of many segments or great length', async () => {
    for (const path of [
      `/agent/${'x'.repeat(2_048)}`,
      `/${'a/'.repeat(21)}`,
      `/assets/${'a/'.repeat(1_000)}`,
      `/${'a/'.repeat(7_000)}`,
    ])
      expect(await statusOf(path)).toBe(414);
    expect(await statusOf(`/${'a/'.repeat(19)}`)).toBe(404);
  });

  it('a name that is not ours, but for health checks', async () => {
    const as = (path: string, host: string) => app.call(path, { headers: { host } });
    for (const path of ['/', '/properties', '/robots.txt', '/assets/x.js', '/api/suggestions?q=a'])
      expect((await as(path, 'evil.example')).status).toBe(421);
    expect((await as('/', 'evil.example')).text).toContain('This site is not served under this name');
    for (const path of ['/healthz', '/readyz']) expect((await as(path, '192.0.2.7')).status).toBe(200);
  });

  it('an area of the map that cannot be read', async () => {
    for (const path of ['/api/map?area=1_2', '/api/map?area=here']) expect(await statusOf(path)).toBe(400);
  });

  it('thousands of paths at the router’s own endpoint', async () => {
    const home = (await app.call('/')).text;
    const version = /manifest-(\w+)\.js/.exec(home)?.[1] ?? '';
    const discover = (paths: string[]) => app.call(`/__manifest?version=${version}&paths=${paths.join(',')}`);
    expect((await discover(Array.from({ length: 1_000 }, (_, n) => `/${n}`))).status).toBe(400);
    expect((await discover(['/a'.repeat(1_000)])).status).toBe(400);
    const listings = Array.from({ length: 150 }, () => `/property/${randomUUID()}`);
    const found = await discover([...listings, '/properties']);
    expect(found.status).toBe(200);
    const names = Object.keys(JSON.parse(found.text));
    expect(names).toEqual(expect.arrayContaining(['routes/public/property', 'routes/public/properties']));
  });

  it('a form of the inbox that names no conversation', async () => {
    const reply = { intent: 'reply', message: 'Yes.', key: 'some' };
    const { inquiryId } = await createConversation(app.scenario);
    expect(await statusOf('/agent/inquiries', reply)).toBe(400);
    expect(await statusOf(`/agent/inquiries?inquiry=${inquiryId}`, reply)).toBe(303);
  });

  it('a conversation of the own one as a buyer, in the inbox of a seller', async () => {
    const { inquiryId } = await createConversation(app.scenario);
    expect(await statusOf(`/agent/inquiries?inquiry=${inquiryId}`)).toBe(200);
    await app.db
      .q()
      .updateTable('property_inquiries')
      .set({
        user_id: app.scenario.cast.sellerA.id,
        property_id: await app.scenario.listing('suspended seller’s Active'),
      })
      .where('id', '=', inquiryId)
      .execute();
    expect(await statusOf(`/agent/inquiries?inquiry=${inquiryId}`)).toBe(404);
  });

  it('a message with a key of more than 100 characters', async () => {
    const { inquiryId } = await createConversation(app.scenario);
    const path = `/inquiries/${inquiryId}`;
    expect(await statusOf(path, { intent: 'reply', message: 'Yes.', key: 'k'.repeat(101) })).toBe(400);
    expect(await statusOf(path, { intent: 'reply', message: 'Yes.', key: 'k'.repeat(100) })).toBe(200);
  });

  it('a field of a photograph with a NUL character', async () => {
    const path = `/agent/photos/draft/${randomUUID()}`;
    expect(await statusOf(path, { intent: 'describe', photo: randomUUID(), caption: 'A\0B' })).toBe(400);
  });

  it('NUL in any field of a form', async () => {
    const { inquiryId } = await createConversation(app.scenario);
    const path = `/inquiries/${inquiryId}`;
    const forms: Record<string, string>[] = [
      { intent: 'reply', message: 'A\0B', key: 'k' },
      { intent: 'reply', message: 'Yes.', key: 'k\0' },
      { intent: 'report', reason: 'A\0B' },
      { intent: 'reply', message: 'Yes.', key: 'k', 'a\0': 'b' },
    ];
    for (const form of forms) expect(await statusOf(path, form)).toBe(400);
  });

  it('more than twenty downloads of the transactions an hour', async () => {
    const hour = () => Math.floor(Date.now() / HOUR);
    let statuses: number[];
    let begun: number;
    // An hour may end in between; then all of it again.
    do {
      await app.db.q().deleteFrom('rate_limits').execute();
      statuses = [];
      begun = hour();
      for (let times = 0; times <= 20; times++) statuses.push(await statusOf('/agent/transactions.csv'));
    } while (hour() !== begun);
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
  });
});
