import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sessionCookie } from '#platform/auth/cookie.ts';
import { publish } from '#platform/events/events.ts';
import type { Answer } from '#tests/support/ask.ts';
import { type Address, type Addresses, type Visit, wordOf } from './address.ts';
import { patterns } from './all-addresses.ts';
import { elsewhere, MARKUP } from './hostile.ts';
import { type Call, fromOurPage, type House, openHouse } from './house.ts';
import { newSale } from './sales.ts';
import { fingerprint, settled } from './stage.ts';
import { type ActorName, actors, readTable } from './table.ts';

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
const plain = (pattern: string) =>
  pattern
    .replace(':id', '00000000-0000-4000-8000-000000000000')
    .replace(':ref', 'cs_test_nothing')
    .replace(':shard', '00.xml')
    .replace('*', 'nothing');

describe('the addresses', () => {
  it('all have cells, and none that is gone has', () => {
    expect([...addresses.keys()].sort()).toEqual([...patterns].sort());
  });
});

describe('every address, asked by everyone', () => {
  let house: House;
  let market: House;
  beforeAll(async () => {
    house = await openHouse();
    market = await openHouse({ ACRE_UNDECLARED: 'on' });
  });
  afterAll(async () => {
    await house.close();
    await market.close();
  });

  for (const [pattern, address] of addresses) {
    it(pattern, async () => {
      const expected = readTable(address.cells);
      const actual: Record<string, Partial<Record<ActorName, string>>> = {};
      for (const row of expected.keys()) {
        const words: Partial<Record<ActorName, string>> = {};
        actual[row] = words;
        // One person asks for many cells in a minute.
        await market.db.q().deleteFrom('rate_limits').execute();
        for (const actor of actors) {
          const visit = { house: address.sandbox ? market : house, actor, row };
          words[actor] = await play(pattern, address, visit);
        }
      }
      expect(actual).toEqual(Object.fromEntries(expected));
    }, 60_000);
  }

  /** Asks, and asserts what every answer must be; the word of the answer. */
  async function play(pattern: string, address: Address, visit: Visit): Promise<string> {
    const { actor, row, house } = visit;
    const asked: Call & { path?: string } =
      (await address.asks?.(visit)) ?? (row.startsWith('POST') ? fromOurPage({}) : {});
    const data = row.startsWith('GET .data') && !asked.path ? '.data' : '';
    const path = asked.path ?? `${plain(pattern)}${data}`;
    const options = { method: row.split(' ')[0] ?? 'GET', as: actor, ...asked };
    const answer = pattern === '/api/events' ? await firstOf(path, actor) : await house.call(path, options);
    const { status, headers, text } = answer;
    expect(headers, path).toMatchObject({ 'x-content-type-options': 'nosniff' });
    expect(headers['content-security-policy'], path).toBeDefined();
    if (/text\/(?:html|x-script)/.test(String(headers['content-type'])))
      expect(headers['cache-control'], path).toMatch(/private|no-store/);
    const secret = typeof address.secret === 'function' ? address.secret(visit) : address.secret;
    if (secret && row.startsWith('GET'))
      expect(text.includes(secret), `${row}, ${actor}: '${secret}' in a ${status}`).toBe(status === 200);
    if (address.personal && status === 200) namesNobodyElse(answer, visit);
    await address.holds?.(answer, visit);
    const id = path.split('/')[2] ?? '';
    const next = `/buyer/login?next=${encodeURIComponent(`/property/${id}`)}`;
    const login = pattern.endsWith('watch')
      ? `${next}&intent=watch%3A${id}`
      : `${next}%3Finquire%3D1&intent=inquire%3A${id}`;
    const to = Object.entries(address.to ?? {}).map(([name, target]) => [
      name,
      target === 'LOGIN' ? login : target === 'PAGE' ? `/property/${id}` : target,
    ]);
    return wordOf(answer, Object.fromEntries(to) as Record<string, string>);
  }

  /** The page knows its reader, and no other person of the cast. */
  function namesNobodyElse({ text }: Answer, { actor, house }: Visit): void {
    for (const name of actors.filter((one) => one !== 'anonymous')) {
      const { email, id } = house.stage.person(name);
      expect(text.includes(email), `${name}'s e-mail for ${actor}`).toBe(name === actor);
      if (name !== actor) expect(text).not.toContain(id);
    }
  }

  /** The beginning of an answer that has no end. */
  async function firstOf(path: string, actor: ActorName): Promise<Answer> {
    const cookie = actor === 'anonymous' ? '' : await house.cookieOf(house.stage.person(actor));
    return new Promise((resolve, reject) => {
      const asking = request(`http://127.0.0.1:${new URL(house.server.url).port}${path}`, {
        headers: { cookie },
      });
      asking.once('response', ({ statusCode: status = 0, headers }) => {
        asking.destroy();
        resolve({ status, headers, body: Buffer.alloc(0), text: '', arrivals: [] });
      });
      asking.once('error', reject);
      asking.end();
    });
  }

  it('answers HEAD as GET, without a body', async () => {
    for (const pattern of addresses.keys()) {
      if (pattern === '/api/events') continue;
      for (const as of ['anonymous', 'buyerA', 'admin'] as const) {
        const [head, get] = [
          await house.call(plain(pattern), { method: 'HEAD', as }),
          await house.call(plain(pattern), { as }),
        ];
        expect([pattern, head.status, head.body.length]).toEqual([pattern, get.status, 0]);
      }
    }
  }, 60_000);

  it('is changed by POST alone', async () => {
    const cookie = await house.cookieOf(house.stage.cast.buyerA);
    await settled(house.db);
    const before = await fingerprint(house.db);
    for (const pattern of addresses.keys())
      for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
        const headers = { 'sec-fetch-site': 'same-origin', cookie };
        const { status, headers: told } = await house.call(plain(pattern), { method, headers });
        expect([pattern, method, status, told.allow]).toEqual([pattern, method, 405, 'GET, HEAD, POST']);
      }
    expect(await fingerprint(house.db)).toBe(before);
  }, 60_000);

  it('is changed from our own pages alone', async () => {
    const { url } = house.server;
    const cookie = await house.cookieOf(house.stage.cast.buyerA);
    const id = await house.stage.listing('A’s Active');
    await settled(house.db);
    const before = await fingerprint(house.db);
    const strangers: Record<string, string>[] = [
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
    // Messages of providers, and what mail programs press, come from elsewhere; their cells show what proves them instead.
    const posted = [...addresses.keys()]
      .filter((pattern) => !/^\/(?:api\/webhooks\/\w|unsubscribe$)/.test(pattern))
      .map((pattern) => pattern.replace(':id', id));
    for (const path of [...posted, '/account.data', '/logout.data'])
      for (const stranger of strangers) {
        const form = fromOurPage({ form: 'password', watched: '1', message: 'Hello' });
        const { 'sec-fetch-site': _, ...headers } = form.headers;
        const answer = await house.call(plain(path), {
          ...form,
          headers: { ...headers, ...stranger, cookie },
        });
        expect([path, stranger, answer.status]).toEqual([path, stranger, 403]);
      }
    expect(await fingerprint(house.db)).toBe(before);
  }, 120_000);

  it('knows nobody by a cookie that is not ours', async () => {
    const { buyerA } = house.stage.cast;
    const good = await house.cookieOf(buyerA);
    const value = decodeURIComponent(good.split('=')[1] ?? '');
    const [token = '', signature = ''] = [
      value.slice(0, value.lastIndexOf('.')),
      value.slice(value.lastIndexOf('.') + 1),
    ];
    const named = (text: string) => `acre.session_token=${encodeURIComponent(text)}`;
    const other = await house.cookieOf(house.stage.cast.admin);
    const forged = {
      unsigned: named(token),
      'empty signature': named(`${token}.`),
      'of another secret':
        sessionCookie({ publicUrl: house.server.url, secret: 'another' }, token).split(';')[0] ?? '',
      "another's signature": named(
        `${decodeURIComponent(other.split('=')[1] ?? '').split('.')[0]}.${signature}`,
      ),
      'changed token': named(`${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}.${signature}`),
      'user id': named(buyerA.id),
      sql: named("' or 1=1 --.x"),
      'bad encoding': 'acre.session_token=%E0%A4%A',
      prototype: '__proto__=1; acre.session_token=constructor',
    };
    const status = async (cookie: string) => (await house.call('/account', { headers: { cookie } })).status;
    expect(await status(good)).toBe(200);
    for (const [name, cookie] of Object.entries(forged))
      expect([name, await status(cookie)]).toEqual([name, 302]);

    const sessions = house.db.q().updateTable('sessions').where('token', '=', token);
    await sessions.set({ expires_at: new Date(Date.now() - 1_000) }).execute();
    expect(await status(good)).toBe(302);
    await sessions.set({ expires_at: new Date(Date.now() + 86_400_000 * 29.5) }).execute();
    expect(await status(good)).toBe(200);
    await house.call('/logout', {
      ...fromOurPage({}),
      headers: { ...fromOurPage({}).headers, cookie: good },
    });
    expect(await status(good)).toBe(302);
  });

  it('knows a role by the database alone, and forgets who lost it', async () => {
    const { sellerB } = house.stage.cast;
    const cookie = await house.cookieOf(sellerB);
    const status = async (path: string) => (await house.call(path, { headers: { cookie } })).status;
    const agents = house.db.q().updateTable('agents').where('id', '=', sellerB.agentId);
    expect([await status('/agent/dashboard'), await status('/admin/dashboard')]).toEqual([200, 403]);
    await agents.set({ archived_at: new Date() }).execute();
    expect([await status('/agent/dashboard'), await status('/account')]).toEqual([302, 302]);
    await agents.set({ archived_at: null }).execute();
    await house.db.q().updateTable('profiles').set({ role: 'buyer' }).where('id', '=', sellerB.id).execute();
    expect([await status('/agent/dashboard'), await status('/buyer/transactions')]).toEqual([403, 200]);
    await house.db.q().updateTable('profiles').set({ role: 'agent' }).where('id', '=', sellerB.id).execute();
  });

  it('shows what people wrote as text, wherever it stands', async () => {
    const { sellerA } = house.stage.cast;
    const wrote = ['</script>', '"', "'", ']]>', '-->', '</title>']
      .map((end) => `Evilword ${end}${MARKUP}`)
      .join(' ');
    const title = wrote.slice(0, 118);
    const facts = { title, address: title, city: title, description: wrote, latitude: 43, longitude: -120 };
    const id = await house.stage.listing('A’s Active', facts);
    const seller = house.db.q().updateTable('agents').where('id', '=', sellerA.agentId);
    await seller.set({ name: title }).execute();
    await house.db.q().updateTable('users').set({ name: wrote }).where('id', '=', sellerA.id).execute();
    const paths = [
      `/property/${id}`,
      '/properties?q=evilword',
      `/properties?q=${encodeURIComponent(MARKUP)}`,
      '/agent/dashboard',
    ];
    for (const path of paths) {
      const { status, text } = await house.call(path, { as: 'sellerA' });
      expect([path, status, text.includes(MARKUP)]).toEqual([path, 200, false]);
    }
    for (const path of [
      '/api/map?q=evilword&zoom=9',
      '/api/suggestions?q=evilword',
      `/property/${id}.data`,
    ]) {
      const { text, headers } = await house.call(path);
      expect(text, path).toContain('Evilword');
      expect(headers['content-type'], path).not.toMatch(/html|svg|xml/);
    }
  });

  it('tells live events only to whom they concern', async () => {
    const port = new URL(house.server.url).port;
    const streams = await Promise.all(
      actors.map(async (actor) => {
        const cookie = actor === 'anonymous' ? '' : await house.cookieOf(house.stage.person(actor));
        const leaving = new AbortController();
        const { signal } = leaving;
        const answer = await fetch(`http://127.0.0.1:${port}/api/events`, { headers: { cookie }, signal });
        const listener = { actor, text: '', leaving, ended: Promise.resolve() };
        const read = async () => {
          for await (const piece of answer.body ?? []) listener.text += Buffer.from(piece).toString();
        };
        listener.ended = read().catch(() => undefined);
        return listener;
      }),
    );
    await vi.waitFor(() => expect(streams.every(({ text }) => text.includes('"ready"'))).toBe(true), 10_000);
    for (const role of ['buyer', 'agent', 'admin'] as const) {
      const audience = `role:${role}` as const;
      await publish(house.stage.ctx('anonymous'), { audience, type: `for.${role}`, payload: {} });
    }
    // Signing out is told to the person's other tabs, whose streams end with it; staff first, buyer A last.
    for (const as of ['admin', 'buyerA'] as const) await house.call('/logout', { ...fromOurPage({}), as });
    await Promise.all(
      streams.filter(({ actor }) => ['admin', 'buyerA'].includes(actor)).map(({ ended }) => ended),
    );
    for (const { leaving } of streams) leaving.abort();
    const told = streams.map(({ actor, text }) => [
      actor,
      [...text.matchAll(/"type":"([a-z.]+)"/g)].map(([, type]) => type).filter((type) => type !== 'ready'),
    ]);
    expect(Object.fromEntries(told)).toEqual({
      anonymous: [],
      buyerA: ['for.buyer', 'session'],
      buyerB: ['for.buyer'],
      sellerA: ['for.agent'],
      sellerB: ['for.agent'],
      suspended: ['for.agent'],
      admin: ['for.admin', 'session'],
    });
  });

  it('never leads to another site', async () => {
    const doors = [
      ['/buyer/login', 'buyerA'],
      ['/buyer/signup', 'buyerA'],
      ['/agent/login', 'sellerA'],
      ['/admin', 'admin'],
    ] as const;
    for (const [path, as] of doors)
      for (const next of elsewhere) {
        const { status, headers } = await house.call(`${path}?${new URLSearchParams({ next })}`, { as });
        const target = new URL(headers.location ?? '', house.server.url);
        expect([next, status, target.origin]).toEqual([next, 302, house.server.url]);
        expect(target.pathname, next).not.toMatch(/^\/[/\\]/);
        expect(headers['set-cookie'] ?? '').not.toContain('x=1');
      }
    for (const referer of ['//evil.example/', '/\\evil.example', '/.//evil.example']) {
      const id = await house.stage.listing('A’s Active');
      const form = fromOurPage({ watched: '1' });
      const headers = { ...form.headers, referer: house.server.url + referer };
      const answer = await house.call(`/property/${id}/watch`, { ...form, headers, as: 'buyerA' });
      expect(new URL(answer.headers.location ?? '', house.server.url).origin, referer).toBe(house.server.url);
    }
  }, 60_000);

  it('goes back to pages of its own alone', async () => {
    const id = await house.stage.listing('A’s Active');
    const form = fromOurPage({ watched: '1' });
    for (const [from, to] of [
      [house.server.url, '/account'],
      ['https://evil.example', `/property/${id}`],
    ]) {
      const headers = { ...form.headers, referer: `${from}/account` };
      const answer = await house.call(`/property/${id}/watch`, { ...form, headers, as: 'buyerA' });
      expect([from, answer.status, answer.headers.location]).toEqual([from, 302, to]);
    }
  });

  it('takes no money where no payment provider is set up, nor messages of any', async () => {
    const { saleId, propertyId, ref } = await newSale(house.stage, 'open');
    const body = JSON.stringify({ propertyId, amount: '742000.00', transactionId: saleId });
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const form = fromOurPage({ method: 'card', total: '74200000', key: 'k', scripted: '1' });
    const another = await house.stage.listing('A’s Active');
    const asked: [path: string, call: Call, status: number][] = [
      [`/sandbox/checkout/${ref}`, {}, 404],
      [`/sandbox/checkout/${ref}`, fromOurPage({ action: 'pay' }), 404],
      ['/api/webhooks/stripe', { method: 'POST', body: '{}' }, 503],
      ['/api/webhooks/coinbase', { method: 'POST', body: '{}' }, 503],
      [`/property/${another}/purchase`, { ...form, as: 'buyerA' }, 422],
      ['/api/payments/create-card-payment', { method: 'POST', headers, body, as: 'buyerB' }, 404],
    ];
    const sales = house.db.q().selectFrom('property_sales').selectAll().orderBy('id');
    const before = await sales.execute();
    for (const [path, call, status] of asked)
      expect([path, (await house.call(path, call)).status]).toEqual([path, status]);
    expect(JSON.parse((await house.call('/api/stripe-config')).text)).toMatchObject({ mode: 'off' });
    expect(await sales.execute()).toEqual(before);
  });

  it('takes no more than 256 kB, and no path that is not text', async () => {
    const form = fromOurPage({ email: 'x'.repeat(300_000), password: 'x' });
    expect((await house.call('/buyer/login', form)).status).toBe(413);
    for (const path of ['/property/%00', '/property/%ff']) {
      expect([path, (await house.call(path)).status]).toEqual([path, 400]);
    }
  });
});

describe('the pages for makers', () => {
  it('are there in the demo and in development, for everyone', async () => {
    const house = await openHouse({ ACRE_UNDECLARED: 'on' });
    try {
      for (const path of ['/dev/mail', '/dev/ui'])
        for (const as of actors)
          expect([path, as, (await house.call(path, { as })).status]).toEqual([path, as, 200]);
    } finally {
      await house.close();
    }
  }, 60_000);
});
