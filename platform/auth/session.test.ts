import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { createAccount, signInCookie, visitorContext } from '#tests/support/fixtures/accounts.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { DAY } from '../durations.ts';
import { clearedSessionCookie, sessionCookie, sessionTokenOf } from './cookie.ts';
import { cookiesNotSetBy, resolveSession } from './session.ts';

await describeOnEachDatabase('request session', (open) => {
  let db: Database;
  let cookie: string;
  let queries = 0;
  let counted: Database;
  beforeAll(async () => {
    db = await open();
    await createAccount(db, 'ann@acre.test');
    cookie = await signInCookie(db, 'ann@acre.test');
    counted = {
      ...db,
      q: () => {
        queries += 1;
        return db.q();
      },
    };
  });
  afterAll(() => db.close());

  const look = (header: string | null, now = () => new Date()) => {
    queries = 0;
    const request = new Request(
      'http://localhost:3000/',
      header === null ? {} : { headers: { cookie: header } },
    );
    return resolveSession({ ...visitorContext(db), db: counted, now }, request);
  };

  it('costs one query, and none for a visitor', async () => {
    expect((await look(cookie)).actor).toMatchObject({ kind: 'user', email: 'ann@acre.test', role: 'buyer' });
    expect(queries).toBe(1);
    for (const header of [null, '', 'theme=dark', 'acre.session_token=']) {
      expect(await look(header)).toEqual({
        actor: { kind: 'visitor' },
        sessionId: null,
        expiresAt: null,
        cookies: [],
      });
      expect(queries).toBe(0);
    }
  });

  it('takes under a millisecond to parse and is found among other cookies', async () => {
    expect((await look(`theme=dark; ${cookie}; x=acre.session_token=1`)).actor.kind).toBe('user');
    const start = performance.now();
    for (let count = 0; count < 1_000; count += 1) sessionTokenOf(testConfig, cookie);
    expect((performance.now() - start) / 1_000).toBeLessThan(1);
  });

  it('rejects cookies that we did not sign, without a query', async () => {
    const value = decodeURIComponent(cookie.split('=').slice(1).join('='));
    const token = value.slice(0, value.lastIndexOf('.'));
    const foreign = sessionCookie({ ...testConfig, secret: 'another secret, also long enough' }, token);
    const wrong = [token, `${token}.`, `${token}.AAAA`, `.${value.split('.')[1]}`, `x${value}`, '%E0%A4%A'];
    for (const forged of [
      ...wrong.map((text) => `acre.session_token=${text}`),
      foreign.split(';')[0] ?? '',
    ]) {
      const session = await look(forged);
      expect(session.actor).toEqual({ kind: 'visitor' });
      expect(session.cookies).toEqual([expect.stringContaining('Max-Age=0')]);
      expect(queries).toBe(0);
    }
  });

  it('reads the cookie written by the auth library, and writes the same', () => {
    const found = sessionTokenOf(testConfig, cookie);
    if (found === null || found === 'forged') throw new Error('not read');
    expect(sessionCookie(testConfig, found.token).split(';')[0]).toBe(cookie);
  });

  it('uses a secure cookie when the site uses https', () => {
    const config = { ...testConfig, publicUrl: 'https://market.example' };
    expect(sessionCookie(config, 't')).toMatch(
      /^__Secure-acre\.session_token=t\.[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(sessionTokenOf(config, sessionCookie(testConfig, 't'))).toBeNull();
  });

  it('is renewed for thirty days, once a day, and ends thirty days after its last use', async () => {
    const start = Date.now();
    const at = (days: number) => look(cookie, () => new Date(start + days * DAY));
    expect((await at(0.9)).cookies).toEqual([]);
    expect((await at(1.1)).cookies).toEqual([expect.stringContaining('Max-Age=2592000')]);
    expect((await at(1.1)).cookies).toEqual([]);
    expect((await at(30.5)).actor.kind).toBe('user');
    const ended = await at(61);
    expect(ended.actor).toEqual({ kind: 'visitor' });
    expect(ended.cookies).toEqual([expect.stringContaining('Max-Age=0')]);
  });

  it('does not clear a cookie that the response itself has just set', () => {
    const answer = new Headers([['set-cookie', sessionCookie(testConfig, 'new')]]);
    expect(cookiesNotSetBy(answer, [clearedSessionCookie(testConfig)])).toEqual([]);
    expect(cookiesNotSetBy(new Headers(), [clearedSessionCookie(testConfig)])).toHaveLength(1);
  });

  it('is a visitor’s without a profile', async () => {
    const id = await createAccount(db, 'bare@acre.test');
    const own = await signInCookie(db, 'bare@acre.test');
    await db.q().deleteFrom('profiles').where('id', '=', id).execute();
    expect((await look(own)).actor).toEqual({ kind: 'visitor' });
  });
});
