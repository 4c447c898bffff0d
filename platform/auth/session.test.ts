import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { createAccount, signInCookie, visitorContext } from '#tests/support/fixtures/accounts.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
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
    // CPU time rather than wall-clock time, so that a busy machine makes no difference.
    const before = process.cpuUsage();
    for (let count = 0; count < 1_000; count += 1) sessionTokenOf(testConfig, cookie);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000 / 1_000).toBeLessThan(1);
  });

  it('rejects cookies that we did not sign, and one of no session, without a query', async () => {
    const value = decodeURIComponent(cookie.split('=').slice(1).join('='));
    const token = value.slice(0, value.lastIndexOf('.'));
    const foreign = sessionCookie({ ...testConfig, secret: 'another secret, also long enough' }, token);
    const empty = sessionCookie(testConfig, '');
    const wrong = [token, `${token}.`, `${token}.AAAA`, `.${value.split('.')[1]}`, `x${value}`, '%E0%A4%A'];
    for (const forged of [
      ...wrong.map((text) => `acre.session_token=${text}`),
      ...[foreign, empty].map((cookie) => cookie.split(';')[0] ?? ''),
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

  it('is bound to the host when the site uses https', () => {
    const config = { ...testConfig, publicUrl: 'https://market.example' };
    expect(sessionCookie(config, 't')).toMatch(
      /^__Host-acre\.session_token=t\.[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(sessionTokenOf(config, sessionCookie(testConfig, 't'))).toBeNull();
  });

  it('of a browser that has it under its former name goes on under the new one', async () => {
    const config = { ...testConfig, publicUrl: 'https://market.example' };
    const began = new Date('2026-11-20T12:00:00Z');
    const lookAt = (header: string, at: string) =>
      resolveSession(
        { db, config, now: () => new Date(at) },
        new Request(config.publicUrl, { headers: { cookie: header } }),
      );
    const token = crypto.randomUUID();
    const user_id = await createAccount(db, 'former@acre.test');
    const expires_at = new Date('2027-06-01T12:00:00Z');
    await db.q().insertInto('sessions').values({ user_id, token, expires_at, created_at: began }).execute();
    const [present = ''] = sessionCookie(config, token).split(';');
    const former = present.replace('__Host-', '__Secure-');
    const found = await lookAt(former, '2026-11-21T12:00:00Z');
    expect(found.actor).toMatchObject({ kind: 'user', email: 'former@acre.test' });
    expect(found.cookies).toEqual([
      expect.stringContaining(present),
      expect.stringMatching(/^__Secure-acre\.session_token=; Max-Age=0;.* Secure;/),
    ]);
    // What another host set does not replace the session of this one, and soon counts for nothing.
    const planted = `${former}; __Host-acre.session_token=forged.x`;
    expect((await lookAt(planted, '2026-11-21T12:00:00Z')).actor).toEqual({ kind: 'visitor' });
    expect((await lookAt(former, '2027-01-01T12:00:00Z')).actor).toEqual({ kind: 'visitor' });
    const changed = { created_at: new Date('2026-12-02T12:00:00Z') };
    await db.q().updateTable('sessions').set(changed).where('token', '=', token).execute();
    expect((await lookAt(former, '2026-12-03T12:00:00Z')).actor).toEqual({ kind: 'visitor' });
    expect((await lookAt(present, '2026-12-03T12:00:00Z')).actor).toMatchObject({ kind: 'user' });
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

  it('ends ninety days after the sign-in, however much it is used', async () => {
    await createAccount(db, 'daily@acre.test');
    const own = await signInCookie(db, 'daily@acre.test');
    const start = Date.now();
    const at = (days: number) => look(own, () => new Date(start + days * DAY));
    for (let day = 2; day < 89; day += 2) expect((await at(day)).actor.kind).toBe('user');
    const near = await at(89.5);
    expect(near.actor.kind).toBe('user');
    // Nothing is left to renew, so nothing is written.
    expect(near.cookies).toEqual([]);
    expect(queries).toBe(1);
    expect((await at(90.1)).actor).toEqual({ kind: 'visitor' });
  });

  it('of a seller who was archived meanwhile is that of a visitor, and is cleared', async () => {
    const { id: user_id, agentId } = await createUser(db, 'agent');
    const token = crypto.randomUUID();
    const expires_at = new Date(Date.now() + DAY);
    await db.q().insertInto('sessions').values({ user_id, token, expires_at }).execute();
    const [own = ''] = sessionCookie(testConfig, token).split(';');
    expect((await look(own)).actor).toMatchObject({ kind: 'user', agentId });
    const archived = { archived_at: new Date() };
    await db.q().updateTable('agents').set(archived).where('id', '=', agentId).execute();
    const { actor, cookies } = await look(own);
    expect(actor).toEqual({ kind: 'visitor' });
    expect(cookies).toEqual([expect.stringContaining('Max-Age=0')]);
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
