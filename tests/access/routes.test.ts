import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DAY } from '#platform/durations.ts';
import { type Audience, publish } from '#platform/events/events.ts';
import { mainDatabase } from '#tests/support/database/test-database.ts';
import type { HttpResponse } from '#tests/support/server/http-request.ts';
import { cookieOf } from '#tests/support/server/session-cookie.ts';
import { externalRedirects, MARKUP } from './fuzz/hostile-input.ts';
import { type ActorName, actors, readTable } from './support/access-table.ts';
import { type Address, type AddressCell, type Addresses, examplePath, outcomeOf } from './support/address.ts';
import { patterns } from './support/all-addresses.ts';
import { changesByRequestsSince, logChanges } from './support/change-log.ts';
import { nowAtRest } from './support/now-at-rest.ts';
import { newSale } from './support/sales.ts';
import { sandboxPayoutRequests } from './support/seller-onboarding.ts';
import { type AppRequest, sameOriginForm, startTestApp, type TestApp } from './support/test-app.ts';

async function allAddresses(): Promise<Map<string, Address>> {
  const folder = join(import.meta.dirname, 'addresses');
  const all = new Map<string, Address>();
  for (const file of readdirSync(folder).sort()) {
    const { addresses } = (await import(join(folder, file))) as { addresses: Addresses };
    for (const [path, address] of Object.entries(addresses)) all.set(path, address);
  }
  return all;
}

const addresses = await allAddresses();

describe('the addresses', () => {
  it('are covered completely, and no others', () => {
    expect([...addresses.keys()].sort()).toEqual([...patterns].sort());
  });
});

describe('every address, requested by every actor', () => {
  let app: TestApp;
  let sandboxApp: TestApp;
  beforeAll(async () => {
    // Both databases answer alike, as the matrix of operations and hostile requests show; PostgreSQL does so faster.
    const kind = await mainDatabase();
    [app, sandboxApp] = await Promise.all([
      startTestApp({}, kind),
      startTestApp({ ACRE_UNDECLARED: 'on' }, kind),
    ]);
    await logChanges(app.db);
  });
  afterAll(async () => {
    await app.close();
    await sandboxApp.close();
  });

  for (const [pattern, address] of addresses) {
    it(pattern, async () => {
      const expected = readTable(address.cells);
      const actual: Record<string, Partial<Record<ActorName, string>>> = {};
      for (const row of expected.keys()) {
        const outcomes: Partial<Record<ActorName, string>> = {};
        actual[row] = outcomes;
        const hasSandbox = typeof address.sandbox === 'function' ? address.sandbox(row) : address.sandbox;
        // The same user sends the requests of many cells within a minute.
        await sandboxApp.db.q().deleteFrom('rate_limits').execute();
        for (const actor of actors) {
          const cell = { app: hasSandbox ? sandboxApp : app, actor, row };
          outcomes[actor] = await runCell(pattern, address, cell);
        }
      }
      expect(actual).toEqual(Object.fromEntries(expected));
    });
  }

  /** Sends the request, asserts what holds for every response, and returns the outcome. */
  async function runCell(pattern: string, address: Address, cell: AddressCell): Promise<string> {
    const { actor, row, app } = cell;
    const requested: AppRequest & { path?: string } =
      (await address.request?.(cell)) ?? (row.startsWith('POST') ? sameOriginForm({}) : {});
    const data = row.startsWith('GET .data') && !requested.path ? '.data' : '';
    const path = requested.path ?? `${examplePath(pattern)}${data}`;
    const options = { method: row.split(' ')[0] ?? 'GET', as: actor, ...requested };
    const answer =
      pattern === '/api/events' ? await responseHead(path, actor) : await app.call(path, options);
    const { status, headers, text } = answer;
    expect(headers, path).toMatchObject({ 'x-content-type-options': 'nosniff' });
    expect(headers['content-security-policy'], path).toBeDefined();
    if (/text\/(?:html|x-script)/.test(String(headers['content-type'])))
      expect(headers['cache-control'], path).toMatch(/private|no-store/);
    const secret = typeof address.secret === 'function' ? address.secret(cell) : address.secret;
    if (secret && row.startsWith('GET'))
      expect(text.includes(secret), `${row}, ${actor}: '${secret}' in a ${status}`).toBe(status === 200);
    if (address.personal && status === 200) expectNoOtherUser(answer, cell);
    await address.verify?.(answer, cell);
    const id = path.split('/')[2] ?? '';
    const next = `/buyer/login?next=${encodeURIComponent(`/property/${id}`)}`;
    const login = pattern.endsWith('watch')
      ? `${next}&intent=watch%3A${id}`
      : `${next}%3Finquire%3D1&intent=inquire%3A${id}`;
    const to = Object.entries(address.to ?? {}).map(([name, target]) => [
      name,
      target === 'LOGIN' ? login : target === 'PAGE' ? `/property/${id}` : target,
    ]);
    return outcomeOf(answer, Object.fromEntries(to) as Record<string, string>);
  }

  /** The page mentions its user and no other user of the matrix. */
  function expectNoOtherUser({ text }: HttpResponse, { actor, app }: AddressCell): void {
    for (const name of actors.filter((one) => one !== 'anonymous')) {
      const { email, id } = app.scenario.person(name);
      expect(text.includes(email), `${name}'s e-mail for ${actor}`).toBe(name === actor);
      if (name !== actor) expect(text).not.toContain(id);
    }
  }

  /** The status and headers of an endless response. */
  async function responseHead(path: string, actor: ActorName): Promise<HttpResponse> {
    const cookie = actor === 'anonymous' ? '' : await app.cookieOf(app.scenario.person(actor));
    return new Promise((resolve, reject) => {
      const outgoing = request(`http://127.0.0.1:${new URL(app.server.url).port}${path}`, {
        headers: { cookie },
      });
      outgoing.once('response', ({ statusCode: status = 0, headers }) => {
        outgoing.destroy();
        resolve({ status, headers, body: Buffer.alloc(0), text: '' });
      });
      outgoing.once('error', reject);
      outgoing.end();
    });
  }

  it('answers HEAD like GET, without a body', async () => {
    // Which actor asks makes no difference to HEAD, so each asks for a third of the addresses.
    const roles = ['anonymous', 'buyerA', 'admin'] as const;
    for (const [index, pattern] of [...addresses.keys()].entries()) {
      if (pattern === '/api/events') continue;
      const as = roles[index % roles.length];
      const [head, get] = [
        await app.call(examplePath(pattern), { method: 'HEAD', as }),
        await app.call(examplePath(pattern), { as }),
      ];
      expect([pattern, head.status, head.body.length]).toEqual([pattern, get.status, 0]);
    }
  });

  it('changes data through POST only', async () => {
    const cookie = await app.cookieOf(app.scenario.cast.buyerA);
    const before = await nowAtRest(app);
    for (const pattern of addresses.keys())
      for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
        const headers = { 'sec-fetch-site': 'same-origin', cookie };
        const { status, headers: received } = await app.call(examplePath(pattern), { method, headers });
        expect([pattern, method, status, received.allow]).toEqual([pattern, method, 405, 'GET, HEAD, POST']);
      }
    expect(await changesByRequestsSince(app.db, before)).toEqual([]);
  });

  it('changes data only for requests from our own pages', async () => {
    const { url } = app.server;
    const cookie = await app.cookieOf(app.scenario.cast.buyerA);
    const id = await app.scenario.listing('A’s Active');
    const before = await nowAtRest(app);
    const foreignHeaders: Record<string, string>[] = [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${url}.evil.example` },
      { origin: url.replace('http:', 'https:') },
      { origin: url, 'sec-fetch-site': 'cross-site' },
      { origin: url, 'sec-fetch-site': 'same-site' },
      { origin: url, 'sec-fetch-site': 'none' },
      { referer: `${url}/account` },
    ];
    // Webhooks and one-click unsubscribes come from elsewhere; their own cells show what authenticates them instead.
    const postPaths = [...addresses.keys()]
      .filter((pattern) => !/^\/(?:api\/webhooks\/\w|unsubscribe$)/.test(pattern))
      .map((pattern) => pattern.replace(':id', id));
    for (const path of [...postPaths, '/account.data', '/logout.data'])
      for (const foreign of foreignHeaders) {
        const form = sameOriginForm({ intent: 'password', watched: '1', message: 'Hello' });
        const { 'sec-fetch-site': _, ...headers } = form.headers;
        const answer = await app.call(examplePath(path), {
          ...form,
          headers: { ...headers, ...foreign, cookie },
        });
        expect([path, foreign, answer.status]).toEqual([path, foreign, 403]);
      }
    expect(await changesByRequestsSince(app.db, before)).toEqual([]);
  });

  it('rejects forged, expired and ended session cookies', async () => {
    const { buyerA } = app.scenario.cast;
    const good = await app.cookieOf(buyerA);
    const value = decodeURIComponent(good.split('=')[1] ?? '');
    const [token = '', signature = ''] = [
      value.slice(0, value.lastIndexOf('.')),
      value.slice(value.lastIndexOf('.') + 1),
    ];
    const named = (text: string) => `acre.session_token=${encodeURIComponent(text)}`;
    const other = await app.cookieOf(app.scenario.cast.admin);
    const forged = {
      unsigned: named(token),
      'empty signature': named(`${token}.`),
      'of another secret': cookieOf({ publicUrl: app.server.url, secret: 'another' }, token),
      "another's signature": named(
        `${decodeURIComponent(other.split('=')[1] ?? '').split('.')[0]}.${signature}`,
      ),
      'changed token': named(`${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}.${signature}`),
      'user id': named(buyerA.id),
      sql: named("' or 1=1 --.x"),
      'bad encoding': 'acre.session_token=%E0%A4%A',
      prototype: '__proto__=1; acre.session_token=constructor',
    };
    const status = async (cookie: string) => (await app.call('/account', { headers: { cookie } })).status;
    expect(await status(good)).toBe(200);
    for (const [name, cookie] of Object.entries(forged))
      expect([name, await status(cookie)]).toEqual([name, 302]);

    const sessions = app.db.q().updateTable('sessions').where('token', '=', token);
    await sessions.set({ expires_at: new Date(Date.now() - 1_000) }).execute();
    expect(await status(good)).toBe(302);
    await sessions.set({ expires_at: new Date(Date.now() + DAY * 29.5) }).execute();
    expect(await status(good)).toBe(200);
    await app.call('/logout', {
      ...sameOriginForm({}),
      headers: { ...sameOriginForm({}).headers, cookie: good },
    });
    expect(await status(good)).toBe(302);
  });

  it('takes the role from the database on every request', async () => {
    const { sellerB } = app.scenario.cast;
    const cookie = await app.cookieOf(sellerB);
    const status = async (path: string) => (await app.call(path, { headers: { cookie } })).status;
    const agents = app.db.q().updateTable('agents').where('id', '=', sellerB.agentId);
    expect([await status('/agent/dashboard'), await status('/admin/dashboard')]).toEqual([200, 403]);
    await agents.set({ archived_at: new Date() }).execute();
    expect([await status('/agent/dashboard'), await status('/account')]).toEqual([302, 302]);
    await agents.set({ archived_at: null }).execute();
    await app.db.q().updateTable('profiles').set({ role: 'buyer' }).where('id', '=', sellerB.id).execute();
    expect([await status('/agent/dashboard'), await status('/buyer/transactions')]).toEqual([403, 200]);
    await app.db.q().updateTable('profiles').set({ role: 'agent' }).where('id', '=', sellerB.id).execute();
  });

  it('escapes user content wherever it is shown', async () => {
    const { sellerA } = app.scenario.cast;
    const hostileText = ['</script>', '"', "'", ']]>', '-->', '</title>']
      .map((end) => `Evilword ${end}${MARKUP}`)
      .join(' ');
    const title = hostileText.slice(0, 118);
    const facts = {
      title,
      address: title,
      city: title,
      description: hostileText,
      latitude: 43,
      longitude: -120,
    };
    const id = await app.scenario.listing('A’s Active', facts);
    const seller = app.db.q().updateTable('agents').where('id', '=', sellerA.agentId);
    await seller.set({ name: title }).execute();
    await app.db.q().updateTable('users').set({ name: hostileText }).where('id', '=', sellerA.id).execute();
    const paths = [
      `/property/${id}`,
      '/properties?q=evilword',
      `/properties?q=${encodeURIComponent(MARKUP)}`,
      '/agent/dashboard',
    ];
    for (const path of paths) {
      const { status, text } = await app.call(path, { as: 'sellerA' });
      expect([path, status, text.includes(MARKUP)]).toEqual([path, 200, false]);
    }
    for (const path of [
      '/api/map?q=evilword&zoom=9',
      '/api/suggestions?q=evilword',
      `/property/${id}.data`,
    ]) {
      const { text, headers } = await app.call(path);
      expect(text, path).toContain('Evilword');
      expect(headers['content-type'], path).not.toMatch(/html|svg|xml/);
    }
  });

  it('sends live events only to their audience', async () => {
    const port = new URL(app.server.url).port;
    const streams = await Promise.all(
      actors.map(async (actor) => {
        const cookie = actor === 'anonymous' ? '' : await app.cookieOf(app.scenario.person(actor));
        const controller = new AbortController();
        const { signal } = controller;
        const answer = await fetch(`http://127.0.0.1:${port}/api/events`, { headers: { cookie }, signal });
        const listener = { actor, text: '', controller, ended: Promise.resolve() };
        const read = async () => {
          for await (const piece of answer.body ?? []) listener.text += Buffer.from(piece).toString();
        };
        listener.ended = read().catch(() => undefined);
        return listener;
      }),
    );
    await vi.waitFor(() => expect(streams.every(({ text }) => text.includes('"ready"'))).toBe(true), 10_000);
    const send = (audience: Audience, type: string) =>
      publish(app.scenario.ctx('anonymous'), { audience, type, payload: {} });
    for (const role of ['buyer', 'agent', 'admin'] as const) await send(`role:${role}`, `for.${role}`);
    // Signing out notifies the user's other tabs and ends their streams; the admin first, buyer A last.
    for (const as of ['admin', 'buyerA'] as const) await app.call('/logout', { ...sameOriginForm({}), as });
    for (const { actor, ended } of streams) if (actor === 'admin' || actor === 'buyerA') await ended;
    // Events come in their order: who has received this one has received all that there was.
    await send('public', 'for.all');
    const isWaiting = ({ text }: { text: string }) => !/"for\.all"|"session"/.test(text);
    await vi.waitFor(() => expect(streams.filter(isWaiting)).toEqual([]), 10_000);
    for (const { controller } of streams) controller.abort();
    const received = streams.map(({ actor, text }) => [
      actor,
      [...text.matchAll(/"type":"([a-z.]+)"/g)].map(([, type]) => type).filter((type) => type !== 'ready'),
    ]);
    expect(Object.fromEntries(received)).toEqual({
      anonymous: ['for.all'],
      buyerA: ['for.buyer', 'session'],
      buyerB: ['for.buyer', 'for.all'],
      sellerA: ['for.agent', 'for.all'],
      sellerB: ['for.agent', 'for.all'],
      suspended: ['for.agent', 'for.all'],
      admin: ['for.admin', 'session'],
    });
  });

  it('never redirects to another site', async () => {
    const loginPages = [
      ['/buyer/login', 'buyerA'],
      ['/buyer/signup', 'buyerA'],
      ['/agent/login', 'sellerA'],
      ['/admin', 'admin'],
    ] as const;
    for (const [path, as] of loginPages)
      for (const next of externalRedirects) {
        const { status, headers } = await app.call(`${path}?${new URLSearchParams({ next })}`, { as });
        const target = new URL(headers.location ?? '', app.server.url);
        expect([next, status, target.origin]).toEqual([next, 302, app.server.url]);
        expect(target.pathname, next).not.toMatch(/^\/[/\\]/);
        expect(headers['set-cookie'] ?? '').not.toContain('x=1');
      }
    for (const referer of ['//evil.example/', '/\\evil.example', '/.//evil.example']) {
      const id = await app.scenario.listing('A’s Active');
      const form = sameOriginForm({ watched: '1' });
      const headers = { ...form.headers, referer: app.server.url + referer };
      const answer = await app.call(`/property/${id}/watch`, { ...form, headers, as: 'buyerA' });
      expect(new URL(answer.headers.location ?? '', app.server.url).origin, referer).toBe(app.server.url);
    }
  });

  it('redirects back to its own pages only', async () => {
    const id = await app.scenario.listing('A’s Active');
    const form = sameOriginForm({ watched: '1' });
    for (const [from, to] of [
      [app.server.url, '/account'],
      ['https://evil.example', `/property/${id}`],
    ]) {
      const headers = { ...form.headers, referer: `${from}/account` };
      const answer = await app.call(`/property/${id}/watch`, { ...form, headers, as: 'buyerA' });
      expect([from, answer.status, answer.headers.location]).toEqual([from, 302, to]);
    }
  });

  it('accepts no payments and no webhooks where no payment provider is configured', async () => {
    const { saleId, propertyId, ref } = await newSale(app.scenario, 'open');
    const body = JSON.stringify({ propertyId, amount: '742000.00', transactionId: saleId });
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const form = sameOriginForm({ method: 'card', total: '74200000', key: 'k' }, { json: true });
    const another = await app.scenario.listing('A’s Active');
    const requested: [path: string, call: AppRequest, status: number][] = [
      [`/sandbox/checkout/${ref}`, {}, 404],
      [`/sandbox/checkout/${ref}`, sameOriginForm({ intent: 'pay' }), 404],
      ...(await sandboxPayoutRequests(app.db)),
      ['/api/webhooks/stripe', { method: 'POST', body: '{}' }, 503],
      ['/api/webhooks/coinbase', { method: 'POST', body: '{}' }, 503],
      [`/property/${another}/purchase`, { ...form, as: 'buyerA' }, 422],
      ['/api/payments/create-card-payment', { method: 'POST', headers, body, as: 'buyerB' }, 404],
    ];
    const sales = app.db.q().selectFrom('property_sales').selectAll().orderBy('id');
    const before = await sales.execute();
    for (const [path, call, status] of requested)
      expect([path, (await app.call(path, call)).status]).toEqual([path, status]);
    expect(JSON.parse((await app.call('/api/stripe-config')).text)).toMatchObject({ mode: 'off' });
    expect(await sales.execute()).toEqual(before);
  });

  it.each(['properties', 'transactions'])('searches %s for any text', async (table) => {
    for (const q of ['%00', 'a%00b', '%ed%a0%80', '%25_%5C'])
      expect([q, (await app.call(`/agent/${table}?q=${q}`, { as: 'sellerA' })).status]).toEqual([q, 200]);
  });

  it('rejects bodies over 256 kB and paths that are not text', async () => {
    const form = sameOriginForm({ email: 'x'.repeat(300_000), password: 'x' });
    expect((await app.call('/buyer/login', form)).status).toBe(413);
    for (const path of ['/property/%00', '/property/%ff']) {
      expect([path, (await app.call(path)).status]).toEqual([path, 400]);
    }
  });
});
