import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { closeAccount } from '#features/personal-data/commands/close-account.ts';
import { personalDataMessages } from '#features/personal-data/rules.ts';
import type { Database } from '#platform/db/database.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { databaseWithInterceptor } from '#tests/support/database/query-interception.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  attemptSignIn,
  contextForCookie,
  createAccount,
  mailbox,
  PASSWORD,
  signInCookie,
  visitorContext,
} from '#tests/support/fixtures/accounts.ts';
import { WRONG_CURRENT_PASSWORD } from '../model.ts';
import { changePassword } from './change-password.ts';
import { requestEmailChange } from './request-email-change.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { resetPassword } from './reset-password.ts';

const OWNERS = 'Brand-New-Secret-9';
const STRANGERS = 'Stolen-Secret-77';

// A stranger knows the password and has a session; its owner sets a new one by mail at the same time.
await describeOnDatabase('a password that is replaced while it is used', (open, kind) => {
  let db: Database;
  let email: string;
  let token: string;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    email = `owner-${randomUUID()}@acre.test`;
    await createAccount(db, email);
    await requestPasswordReset(visitorContext(db), { email });
    token = (await mailbox(db, email)).at(-1)?.token ?? '';
  });

  // The embedded database has one connection, on which nothing happens at the same time.
  const onServer = it.skipIf(kind === 'embedded');
  const reset = () => resetPassword(visitorContext(db), { token, password: OWNERS, confirm: OWNERS });
  /** The stranger's session, in a process that reads the stored password right before its owner replaces it. */
  async function strangers() {
    const { ctx, sessionId } = await contextForCookie(db, await signInCookie(db, email));
    let isReplaced = false;
    const slow = databaseWithInterceptor(db, (run) => async (text, values) => {
      const result = await run(text, values);
      if (isReplaced || !/^select "password" from "credentials"/.test(text)) return result;
      isReplaced = true;
      expect(await reset()).toMatchObject({ ok: true });
      return result;
    });
    return { ctx: { ...ctx, db: slow }, sessionId };
  }

  onServer('does not replace the new one', async () => {
    const { ctx, sessionId } = await strangers();
    const change = { current: PASSWORD, password: STRANGERS, confirm: STRANGERS };
    expect(await changePassword(ctx, { ...change, currentSessionId: sessionId })).toEqual({
      ok: false,
      errors: { current: WRONG_CURRENT_PASSWORD },
    });
    expect(await attemptSignIn(db, email, OWNERS)).toMatchObject({ ok: true });
  });

  onServer('mails no link that gives the account another address', async () => {
    const { ctx } = await strangers();
    const elsewhere = `stranger-${randomUUID()}@acre.test`;
    expect(await requestEmailChange(ctx, { email: elsewhere, current: PASSWORD })).toEqual({
      ok: false,
      errors: { emailPassword: WRONG_CURRENT_PASSWORD },
    });
    expect(await mailbox(db, elsewhere)).toEqual([]);
  });

  onServer('closes no account', async () => {
    const { ctx } = await strangers();
    expect(await closeAccount(ctx, { password: PASSWORD })).toEqual({
      ok: false,
      reason: 'password',
      text: personalDataMessages.wrongPassword,
    });
    expect(await attemptSignIn(db, email, OWNERS)).toMatchObject({ ok: true });
  });

  onServer('leaves no session that began meanwhile', async () => {
    const held = holdStatement(db, /insert into "audit_log"/);
    const signingIn = attemptSignIn(held.db, email);
    await held.reached;
    const resetting = reset();
    await untilItWaits(db, resetting);
    held.letGo();
    expect(await resetting).toMatchObject({ ok: true });
    const { id } = await db
      .q()
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    await signingIn;
    expect(await db.q().selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toEqual([]);
  });
});
