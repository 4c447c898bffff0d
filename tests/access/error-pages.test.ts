import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mainDatabase } from '#tests/support/database/test-database.ts';
import type { HttpResponse } from '#tests/support/server/http-request.ts';
import type { ActorName } from './support/access-table.ts';
import { type AppRequest, sameOriginForm, startTestApp, type TestApp } from './support/test-app.ts';

const HTML = 'text/html,application/xhtml+xml';
const NOTHING = '00000000-0000-4000-8000-000000000000';
const UNKNOWN_SESSION = 'We could not check who is signed in';

describe('whoever asks for a page gets a page, also when something is wrong', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({}, await mainDatabase());
  });
  afterAll(() => app.close());

  const browse = (path: string, request: AppRequest = {}) =>
    app.call(path, { ...request, headers: { ...request.headers, accept: HTML } });
  const headingOf = ({ text }: HttpResponse) => /<h1[^>]*>([^<]*)</.exec(text)?.[1];
  const referenceOf = ({ text }: HttpResponse) => /Reference: (?:<!-- -->)?([\w-]{8})</.exec(text)?.[1] ?? '';

  const expectLogged = (reference: string | undefined) =>
    vi.waitFor(() => expect(app.server.output()).toContain(`"reference":"${reference}"`), { timeout: 5_000 });

  /** While one of the tables cannot be read. */
  async function without(table: string, work: () => Promise<void>): Promise<void> {
    await app.db.pool.query(`alter table ${table} rename to ${table}_elsewhere`);
    await app.db.pool.query(`select pg_notify('cache', 'resync')`);
    try {
      await work();
    } finally {
      await app.db.pool.query(`alter table ${table}_elsewhere rename to ${table}`);
    }
  }

  it('the frame of an area, asked for by itself, is for its own role', async () => {
    const frame = async (area: string, page: string, as: ActorName) =>
      (await app.call(`/${area}/${page}.data?_routes=routes%2F${area}%2Fguard`, { as })).status;
    expect([await frame('admin', 'dashboard', 'admin'), await frame('admin', 'dashboard', 'buyerA')]).toEqual(
      [200, 403],
    );
    expect([
      await frame('buyer', 'transactions', 'buyerA'),
      await frame('buyer', 'transactions', 'sellerA'),
    ]).toEqual([200, 202]);
  });

  it('a malformed address: the error page, with a way home and without scripts that could not read it either', async () => {
    for (const path of ['/property/%E0%A4%A', '/%', '/agent/%ff/x', '/admin/%00']) {
      const answer = await browse(path);
      expect([path, answer.status, headingOf(answer)]).toEqual([path, 400, '400 Bad Request']);
      expect(answer.text).toMatch(/<a[^>]+href="\/"[^>]*>Back to Home</);
      expect(answer.text).toContain('aria-label="Main"');
      expect(answer.text).not.toMatch(/<script[^>]+(?:src=|type="module")/);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    const long = await browse(`/${'a/'.repeat(300)}`);
    expect([long.status, headingOf(long)]).toEqual([414, '414 URI Too Long']);
    // Scripts and API clients still get what they can read.
    expect((await app.call('/property/%E0%A4%A')).text).toMatch(/^Bad request\n/);
    const json = await app.call('/%', { headers: { accept: 'application/json' } });
    expect(JSON.parse(json.text)).toMatchObject({ error: 'Bad request' });
  });

  it('a plain form about a property that is gone, and an address that only takes forms', async () => {
    const forms: [string, ActorName, Record<string, string>, number][] = [
      [`/property/${NOTHING}/watch`, 'buyerA', { watched: '1' }, 404],
      [`/property/${NOTHING}/purchase`, 'buyerA', { method: 'card', total: '100', key: 'k' }, 404],
      [`/property/${NOTHING}/purchase`, 'buyerA', { intent: 'cancel', sale: NOTHING }, 404],
      [`/inquiries/${NOTHING}`, 'buyerA', { intent: 'reply', message: 'Hello', key: 'k' }, 404],
    ];
    for (const [path, as, body, status] of forms) {
      const form = sameOriginForm(body);
      const answer = await browse(path, { ...form, as });
      expect([path, answer.status, headingOf(answer)]).toEqual([path, status, '404 - Page Not Found']);
      const scripted = await app.call(path, { ...sameOriginForm(body, { json: true }), as });
      expect(JSON.parse(scripted.text)).toHaveProperty('error');
    }
    for (const path of [`/property/${NOTHING}/watch`, `/property/${NOTHING}/view`]) {
      const opened = await browse(path);
      expect([opened.status, headingOf(opened)]).toEqual([405, '405 Method Not Allowed']);
    }
  });

  it('a form of another site, and a file that is not for the viewer', async () => {
    const { headers, ...form } = sameOriginForm({ watched: '1' });
    const foreign = await browse(`/property/${NOTHING}/watch`, {
      ...form,
      headers: { ...headers, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    });
    expect([foreign.status, headingOf(foreign)]).toEqual([403, '403 Forbidden']);
    const file = await browse('/agent/transactions.csv', { as: 'buyerA' });
    expect([file.status, headingOf(file)]).toEqual([403, '403 Forbidden']);
  });

  it('a page that fails names a reference that is in the log, the same when it is reached by a link', async () => {
    const id = await app.scenario.listing('A’s Active');
    await without('property_amenities', async () => {
      const answer = await browse(`/property/${id}`);
      expect([answer.status, headingOf(answer)]).toEqual([500, 'Oops! Something went wrong']);
      await expectLogged(referenceOf(answer));
      expect(answer.text).not.toContain('property_amenities');
      const navigated = await app.call(`/property/${id}.data`);
      const reference = /"reference","([\w-]{8})"/.exec(navigated.text)?.[1];
      await expectLogged(reference);
    });
  });

  it('a session that cannot be read: the pages of an account lead to their sign-in page, others say so', async () => {
    const cookies = { seller: '', admin: '', buyer: '' };
    cookies.seller = await app.cookieOf(app.scenario.cast.sellerA);
    cookies.admin = await app.cookieOf(app.scenario.cast.admin);
    cookies.buyer = await app.cookieOf(app.scenario.cast.buyerA);
    await without('sessions', async () => {
      const as = (who: keyof typeof cookies, path: string) =>
        browse(path, { headers: { cookie: cookies[who] } });
      for (const [who, path, login] of [
        ['seller', '/agent/dashboard', '/agent/login?next=%2Fagent%2Fdashboard'],
        ['admin', '/admin/dashboard', '/admin?next=%2Fadmin%2Fdashboard'],
        ['buyer', '/buyer/transactions', '/buyer/login?next=%2Fbuyer%2Ftransactions'],
      ] as const) {
        const guarded = await as(who, path);
        expect([guarded.status, guarded.headers.location]).toEqual([302, login]);
        const page = await as(who, login);
        expect(page.status).toBe(200);
        expect(page.text).toContain(UNKNOWN_SESSION);
      }
      const home = await as('buyer', '/');
      expect([home.status, home.headers['cache-control']]).toEqual([200, 'no-store']);
      expect(home.text).toContain(UNKNOWN_SESSION);
      // The session is not lost.
      expect(home.headers['set-cookie']).toBeUndefined();

      const form = sameOriginForm({ intent: 'others' });
      const headers = { ...form.headers, cookie: cookies.buyer };
      const posted = await browse('/account', { ...form, headers });
      expect([posted.status, headingOf(posted)]).toEqual([500, 'Oops! Something went wrong']);
      const asked = await app.call('/api/session', { headers: { cookie: cookies.buyer } });
      expect([asked.status, JSON.parse(asked.text)]).toMatchObject([500, { error: expect.any(String) }]);
    });
    const signedIn = await browse('/', { headers: { cookie: cookies.buyer } });
    expect(signedIn.text).not.toContain(UNKNOWN_SESSION);
  });

  it('an unknown page of the back office: no public navigation, the sidebar for administrators alone', async () => {
    for (const as of ['anonymous', 'buyerA', 'sellerA', 'admin'] as const) {
      const answer = await browse('/admin/nowhere/at/all', { as });
      expect([as, answer.status, headingOf(answer)]).toEqual([as, 404, '404 - Page Not Found']);
      expect(answer.text).not.toContain('aria-label="Main"');
      expect(answer.text.includes('id="admin-side"')).toBe(as === 'admin');
    }
  });

  describe('a list that cannot be read says so in its place, and the rest of the page is there', () => {
    const failures: [string, ActorName, string, string[]][] = [
      [
        'property_sales',
        'sellerA',
        '/agent/transactions',
        ['Your totals could not be loaded.', 'The transactions could not be loaded.', 'My Transactions'],
      ],
      [
        'property_sales',
        'sellerA',
        '/agent/settings',
        ['The transactions could not be loaded.', 'How do you want to be paid?'],
      ],
      [
        'property_sales',
        'sellerA',
        '/agent/dashboard',
        ['Your figures could not be loaded.', 'Add New Property'],
      ],
      [
        'property_images',
        'sellerA',
        '/agent/dashboard',
        ['Your figures could not be loaded.', 'The properties could not be loaded.'],
      ],
      [
        'property_images',
        'sellerA',
        '/agent/properties',
        ['The properties could not be loaded.', 'Search your properties'],
      ],
      [
        'property_inquiries',
        'sellerA',
        '/agent/inquiries',
        ['Your inquiries could not be loaded.', 'Needs Response'],
      ],
      [
        'notification_preferences',
        'buyerA',
        '/account',
        ['Your preferences could not be loaded.', 'Change password'],
      ],
      [
        'property_images',
        'anonymous',
        '/',
        ['The featured properties could not be loaded.', 'Good ground, fairly traded.'],
      ],
      ['property_watches', 'buyerA', '/buyer/transactions?tab=watched', ['This section could not be loaded']],
    ];
    it.each(failures)('%s: %s at %s', async (table, as, path, texts) => {
      const cookie: Record<string, string> =
        as === 'anonymous' ? {} : { cookie: await app.cookieOf(app.scenario.person(as)) };
      await without(table, async () => {
        const answer = await browse(path, { headers: cookie });
        for (const text of texts) expect(answer.text).toContain(text);
        expect(answer.text).toContain('Retry');
        expect(answer.text).not.toContain('Oops!');
        expect(answer.status).toBeGreaterThanOrEqual(500);
      });
    });

    it('what every page shows in its frame may be missing', async () => {
      await without('property_inquiries', async () => {
        const page = await browse('/properties', { as: 'buyerA' });
        expect([page.status, headingOf(page)]).toEqual([200, 'Available Properties']);
      });
    });
  });
});
