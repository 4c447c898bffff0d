import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '#platform/durations.ts';
import { mainDatabase } from '#tests/support/database/test-database.ts';
import type { HttpResponse } from '#tests/support/server/http-request.ts';
import { addKey } from './support/api-keys.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

const database = await mainDatabase();
const LISTINGS = 3;

describe('the use of an API key', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({}, database);
    for (let n = 0; n < LISTINGS; n += 1)
      await app.scenario.listing('A’s Active', { latitude: 44, longitude: -121, listed_at: new Date() });
  });
  afterAll(() => app.close());

  const ask = (secret: string, path = '/reso/odata/Property?$select=ListingKey'): Promise<HttpResponse> =>
    app.call(path, { headers: { authorization: `Bearer ${secret}` } });

  it('ends for the rest of the minute with the request that is one too many', async () => {
    const perMinute = 3;
    const other = await addKey(app.scenario, 'admin', { perMinute });
    let answers: HttpResponse[];
    const minute = () => Math.floor(Date.now() / MINUTE);
    let begun: number;
    // A minute may end in between; then all of it again, with a key that has none of the next minute's uses behind it.
    do {
      const key = await addKey(app.scenario, 'admin', { perMinute });
      answers = [];
      begun = minute();
      for (let n = 0; n <= perMinute; n += 1) answers.push(await ask(key.secret));
    } while (minute() !== begun);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const refused = answers.at(-1);
    const seconds = Number(refused?.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(JSON.parse(refused?.text ?? '').error.code).toBe('TooManyRequests');
    expect((await ask(other.secret)).status).toBe(200);
  });

  it('is counted: requests that were answered, and the rows that they were given', async () => {
    const { id, secret } = await addKey(app.scenario, 'admin');
    const answers = [
      await ask(secret),
      await ask(secret, '/reso/odata/Property?$top=1'),
      await ask(secret, '/reso/odata/Property/$count'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(JSON.parse(answers[0]?.text ?? '').value).toHaveLength(LISTINGS);
    const refused = [
      await ask(secret, '/reso/odata/Property?$filter=Nothing eq 1'.replaceAll(' ', '%20')),
      await ask(`${secret}x`),
      await ask(secret, "/reso/odata/Property('1')/$count"),
      await ask(secret, '/reso/odata/Houses'),
      await ask(secret, '/reso/odata/Property(1)'),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 401, 404, 404, 404]);
    const { rows } = await app.db.pool.query<{ requests: number; sent: number }>(
      'select sum(requests)::integer as requests, sum(rows_sent)::integer as sent from api_key_days where key_id = $1',
      [id],
    );
    expect(rows).toEqual([{ requests: 3, sent: LISTINGS + 1 }]);
  });

  // Without the bound of five seconds the statement would be stopped after thirty, as all others of the server are.
  it.skipIf(database !== 'server')(
    'is refused what takes PostgreSQL too long',
    { timeout: 20_000 },
    async () => {
      const { secret } = await addKey(app.scenario, 'admin');
      const client = await app.db.pool.connect();
      try {
        await client.query('begin; lock table properties in access exclusive mode');
        const { status, text } = await ask(secret);
        expect([status, JSON.parse(text).error.code]).toEqual([400, 'TooExpensive']);
      } finally {
        await client.query('rollback');
        client.release();
      }
      expect((await ask(secret)).status).toBe(200);
    },
  );
});
