import { afterAll, beforeAll, expect, it } from 'vitest';
import { storedSecret } from '#platform/auth/factors/authenticator.ts';
import { codeAt, newSecret, stepAt } from '#platform/auth/factors/totp.ts';
import type { Database } from '#platform/db/database.ts';
import { databaseWithInterceptor } from '#tests/support/database/query-interception.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createAccount, visitorContext } from '#tests/support/fixtures/accounts.ts';
import { findAccount } from '../sign-in-account.ts';
import { sealStep } from '../sign-in-step.ts';
import { finishSignIn } from './finish-sign-in.ts';

await describeOnDatabase('the second step of signing in', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  /** Somebody with an authenticator app, the code that it shows, and the step that follows their password. */
  async function betweenSteps(email: string, password?: null) {
    const ctx = visitorContext(db);
    const userId = await createAccount(db, email);
    if (password === null)
      await db.q().updateTable('credentials').set({ password }).where('user_id', '=', userId).execute();
    const secret = newSecret();
    await db
      .q()
      .insertInto('authenticators')
      .values({ user_id: userId, secret: storedSecret(ctx, secret), last_step: 0 })
      .execute();
    const account = await findAccount(ctx, 'id', userId);
    if (!account) throw new Error('no account');
    const code = codeAt(secret, stepAt(ctx.now()));
    const input = { step: sealStep(ctx, account, 'buyer'), code, userAgent: null, currentSessionId: null };
    return { userId, input };
  }
  const sessionsOf = (userId: string) =>
    db.q().selectFrom('sessions').select('id').where('user_id', '=', userId).execute();

  it('signs nobody in whose password is replaced after it was compared', async () => {
    const { userId, input } = await betweenSteps('replaced-meanwhile@acre.test');
    let isReplaced = false;
    const slow = databaseWithInterceptor(db, (run) => async (text, values) => {
      const result = await run(text, values);
      if (isReplaced || !text.includes('"c"."password"')) return result;
      isReplaced = true;
      await run("update credentials set password = 'another hash' where user_id = $1", [userId]);
      return result;
    });
    expect(await finishSignIn(visitorContext(slow), input)).toEqual({ ok: false, reason: 'expired' });
    expect(isReplaced).toBe(true);
    expect(await sessionsOf(userId)).toEqual([]);
  });

  it('signs nobody in who has no password', async () => {
    const { userId, input } = await betweenSteps('without-password@acre.test', null);
    expect(await finishSignIn(visitorContext(db), input)).toEqual({ ok: false, reason: 'expired' });
    expect(await sessionsOf(userId)).toEqual([]);
  });

  it('signs in those whose password is still the same', async () => {
    const { userId, input } = await betweenSteps('unchanged@acre.test');
    expect(await finishSignIn(visitorContext(db), input)).toMatchObject({ ok: true, actor: { id: userId } });
    expect(await sessionsOf(userId)).toHaveLength(1);
  });
});
