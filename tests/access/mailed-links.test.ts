import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import { mainDatabase } from '#tests/support/database/test-database.ts';
import { mailbox, PASSWORD } from '#tests/support/fixtures/accounts.ts';
import { systemContext } from './support/sales.ts';
import { sameOriginForm, startTestApp, type TestApp } from './support/test-app.ts';

describe('a mailed link', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({}, await mainDatabase());
  });
  afterAll(() => app.close());

  it.each([
    ['/account', '/buyer/login?next=%2Faccount'],
    ['//evil.example/account', '/buyer/login'],
    ['https://evil.example/', '/buyer/login'],
  ])('that confirms an address leads to %s only if it is on this site', async (next, expected) => {
    const email = `confirmed-${next.length}@example.test`;
    await app.call('/buyer/signup', sameOriginForm({ intent: 'sign-up', email, password: PASSWORD }));
    const token = (await mailbox(app.db, email)).at(-1)?.token ?? '';
    const answer = await app.call(
      '/verify-email',
      sameOriginForm({ intent: 'confirm', token, next, password: PASSWORD }),
    );
    expect([answer.status, answer.headers.location]).toEqual([302, expected]);
  });

  it('that leads on from the security of an account leads to this site only', async () => {
    const page = (next: string) =>
      app.call(`/account/security?next=${encodeURIComponent(next)}`, { as: 'buyerA' });
    expect((await page('/properties?q=lake')).text).toContain('href="/properties?q=lake"');
    for (const next of ['https://evil.example/', '//evil.example/account']) {
      const { status, text } = await page(next);
      expect([status, /href="[^"]*evil/.test(text)]).toEqual([200, false]);
    }
  });

  it('registers a seller who may not sign in, and leads to the login without a session', async () => {
    const email = 'ines@example.test';
    const invited = await inviteSeller(systemContext(app.scenario), { name: 'Ines Calloway', email });
    if (!invited.ok) throw new Error(invited.reason);
    // At the same moment an administrator demands a new password.
    await sql`create function demand_password() returns trigger language plpgsql as $$
      begin update profiles set must_change_password = true where id = new.user_id; return null; end $$`.execute(
      app.db.q(),
    );
    await sql`create trigger demand_password after update of user_id on agents
      for each row execute function demand_password()`.execute(app.db.q());
    const { pathname, search } = new URL(invited.link);
    const typed = { name: 'Ines Calloway', email, password: PASSWORD, confirm: PASSWORD };
    const answer = await app.call(pathname + search, sameOriginForm({ intent: 'register', ...typed }));
    expect([answer.status, answer.headers.location]).toEqual([302, '/agent/login']);
    const sessions = await app.db
      .q()
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .where('users.email', '=', email)
      .select('sessions.id')
      .execute();
    expect(sessions).toEqual([]);
  });
});
