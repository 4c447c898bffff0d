import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { changePassword } from '#features/accounts/commands/change-password.ts';
import { createAdmin } from '#features/accounts/commands/create-admin.ts';
import { requestPasswordReset } from '#features/accounts/commands/request-password-reset.ts';
import { resendVerification } from '#features/accounts/commands/resend-verification.ts';
import { resetPassword } from '#features/accounts/commands/reset-password.ts';
import { revokeSession } from '#features/accounts/commands/revoke-session.ts';
import { signIn } from '#features/accounts/commands/sign-in.ts';
import { signOut } from '#features/accounts/commands/sign-out.ts';
import { signUp } from '#features/accounts/commands/sign-up.ts';
import { verifyEmail } from '#features/accounts/commands/verify-email.ts';
import {
  confirmationAsksPassword,
  isResetTokenValid,
  ownSessions,
  viewerOf,
} from '#features/accounts/reads.ts';
import type { LoginRole } from '#features/accounts/rules.ts';
import { issueConfirmToken, issueResetToken } from '#platform/auth/auth.ts';
import { mailbox, PASSWORD } from '#tests/support/fixtures/accounts.ts';
import { createUser, giveAuthenticator } from '#tests/support/fixtures/users.ts';
import {
  createUserWithPassword,
  credentialOf,
  givePassword,
  markSetupPending,
  openSessions,
  setupStateOf,
} from '../support/credentials.ts';
import { type Cells, operation } from '../support/operation.ts';
import { sameForAll } from '../support/table-rows.ts';

const NEW_PASSWORD = 'Plumb-Line 78 copper';
/** Pending steps of another user, which must stay pending. */
const UNFINISHED = { email_verified: false, must_change_password: true };
const newAddress = () => `new-${randomUUID().slice(0, 12)}@example.test`;

export const cells: Cells = {
  'reads#viewerOf': operation({
    cells: `
                  anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
      oneself     nobody     buyer   buyer   agent    agent    agent      admin
    `,
    act: async (ctx) => viewerOf(ctx),
    outcomeOf: (viewer) => viewer?.role ?? 'nobody',
    verify(viewer, _, { scenario, actor }) {
      if (actor === 'anonymous') return;
      const { id, role, name, email, emailVerified, suspended } = scenario.person(actor);
      expect(viewer).toEqual({ id, role, name, email, emailVerified, suspended });
    },
  }),

  // Only one's own active sessions, even when somebody else's is passed as the current one.
  'reads#ownSessions': operation({
    cells: `
                                 anonymous        buyerA   buyerB   sellerA  sellerB  suspended  admin
      by the own session         Unauthenticated  allowed  allowed  allowed  allowed  allowed    allowed
      by somebody else’s session  Unauthenticated  allowed  allowed  allowed  allowed  allowed   allowed
    `,
    async prepare({ scenario, row, actor }) {
      await scenario.db.q().deleteFrom('sessions').execute();
      const owner = actor === 'anonymous' ? scenario.cast.buyerA : scenario.person(actor);
      const other = actor === 'buyerB' ? scenario.cast.buyerA : scenario.cast.buyerB;
      const own = [await scenario.session(owner), await scenario.session(owner)];
      await scenario.session(owner, { expires_at: new Date(Date.now() - 1_000) });
      const foreign = await scenario.session(other);
      return { own, current: row === 'by the own session' ? own[0] : foreign };
    },
    act: (ctx, { current }) => ownSessions(ctx, current ?? null),
    verify(sessions, { own, current }, { outcome }) {
      if (outcome !== 'allowed') return;
      expect(sessions?.map(({ id }) => id).sort()).toEqual(own.sort());
      expect(sessions?.filter((one) => one.current).map(({ id }) => id)).toEqual(
        own.filter((id) => id === current),
      );
    },
  }),

  'reads#isResetTokenValid': operation({
    cells: sameForAll(['buyer A’s', 'works'], ['buyer A’s, too old', 'no'], ['made up', 'no']),
    async prepare({ scenario, row }) {
      if (row === 'made up') return randomUUID();
      await scenario.db.q().deleteFrom('verifications').execute();
      const token = await issueResetToken(scenario.ctx('anonymous'), scenario.cast.buyerA.id);
      if (row.endsWith('too old'))
        await scenario.db
          .q()
          .updateTable('verifications')
          .set({ expires_at: new Date(Date.now() - 1_000) })
          .execute();
      return token;
    },
    act: (ctx, token) => isResetTokenValid(ctx, token),
    outcomeOf: (works) => (works ? 'works' : 'no'),
  }),

  'reads#confirmationAsksPassword': operation({
    cells: sameForAll(['mailed token', 'asks'], ['confirmed already', 'no'], ['made up', 'no']),
    async prepare({ scenario, row }) {
      const { email } = await createUserWithPassword(
        scenario,
        'buyer',
        row === 'mailed token' ? 'unconfirmed' : '',
      );
      return row === 'made up' ? randomUUID() : issueConfirmToken(scenario.ctx('anonymous'), email);
    },
    act: (ctx, token) => confirmationAsksPassword(ctx, { token }),
    outcomeOf: (asks) => (asks ? 'asks' : 'no'),
  }),

  'commands/revoke-session#revokeSession': operation({
    cells: `
                         anonymous        buyerA    buyerB    sellerA   sellerB   suspended  admin
      one’s own          Unauthenticated  allowed   allowed   allowed   allowed   allowed    allowed
      buyer A’s          Unauthenticated  allowed   NotFound  NotFound  NotFound  NotFound   NotFound
      seller A’s         Unauthenticated  NotFound  NotFound  allowed   NotFound  NotFound   NotFound
      the admin’s        Unauthenticated  NotFound  NotFound  NotFound  NotFound  NotFound   allowed
      one that ended     Unauthenticated  NotFound  NotFound  NotFound  NotFound  NotFound   NotFound
      no id at all       Unauthenticated  NotFound  NotFound  NotFound  NotFound  NotFound   NotFound
    `,
    async prepare({ scenario, row, actor }) {
      const { buyerA, sellerA, admin } = scenario.cast;
      if (row === 'one that ended') return randomUUID();
      if (row === 'no id at all') return "' or 1=1 --";
      if (row === 'buyer A’s') return scenario.session(buyerA);
      if (row === 'seller A’s') return scenario.session(sellerA);
      if (row === 'the admin’s') return scenario.session(admin);
      return scenario.session(actor === 'anonymous' ? buyerA : scenario.person(actor));
    },
    act: (ctx, sessionId) => revokeSession(ctx, { sessionId }),
    async verify(_, id, { scenario, outcome }) {
      if (outcome === 'allowed') expect(await openSessions(scenario)).not.toContain(id);
    },
  }),

  // Nobody can end another user's session.
  'commands/sign-out#signOut': operation({
    cells: `
                    anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
      one’s own     stays      ended   ended   ended    ended    ended      ended
      buyer A’s     stays      ended   stays   stays    stays    stays      stays
      the admin’s   stays      stays   stays   stays    stays    stays      ended
    `,
    prepare({ scenario, row, actor }) {
      const { buyerA, admin } = scenario.cast;
      if (row !== 'one’s own') return scenario.session(row === 'buyer A’s' ? buyerA : admin);
      return scenario.session(actor === 'anonymous' ? buyerA : scenario.person(actor));
    },
    act: (ctx, sessionId) => signOut(ctx, { sessionId }),
    outcomeOf: async (_, id, { scenario }) =>
      (await openSessions(scenario)).includes(id) ? 'stays' : 'ended',
    verify: (answer) => expect(answer?.cookies).toEqual([expect.stringContaining('Max-Age=0')]),
  }),

  'commands/change-password#changePassword': operation({
    cells: `
                          anonymous        buyerA   buyerB   sellerA  sellerB  suspended  admin
      right one given     Unauthenticated  allowed  allowed  allowed  allowed  allowed    allowed
      wrong one given     Unauthenticated  invalid  invalid  invalid  invalid  invalid    invalid
    `,
    async prepare({ scenario, actor }) {
      const own = actor === 'anonymous' ? scenario.cast.buyerA : scenario.person(actor);
      const other = actor === 'buyerB' ? scenario.cast.buyerA : scenario.cast.buyerB;
      await givePassword(scenario, own);
      await givePassword(scenario, other, 'Another 1 of brass');
      await markSetupPending(scenario, other);
      await scenario.db.q().deleteFrom('rate_limits').execute();
      return {
        other,
        current: await scenario.session(own),
        elsewhere: await scenario.session(own),
        foreign: await scenario.session(other),
        before: await credentialOf(scenario, other),
      };
    },
    act: (ctx, { current }, { row }) =>
      changePassword(ctx, {
        current: row === 'right one given' ? PASSWORD : 'Not the password 1',
        password: NEW_PASSWORD,
        confirm: NEW_PASSWORD,
        currentSessionId: current,
      }),
    async verify(_, { other, current, elsewhere, foreign, before }, { scenario, outcome }) {
      const open = await openSessions(scenario);
      expect(open).toEqual(expect.arrayContaining([current, foreign]));
      expect(open.includes(elsewhere)).toBe(outcome !== 'allowed');
      expect(await credentialOf(scenario, other)).toBe(before);
      expect(await setupStateOf(scenario, other)).toEqual(UNFINISHED);
    },
  }),

  'commands/create-admin#createAdmin': operation({
    cells: `
                     anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin          unproven
      new address    Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed        ProofRequired
      taken address  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  address_taken  ProofRequired
    `,
    prepare: async ({ scenario, row }) =>
      row === 'new address' ? newAddress() : (await createUser(scenario.db, 'buyer')).email,
    act: (ctx, email) => createAdmin(ctx, { email }),
    async verify(_, email, { scenario, row, outcome }) {
      const { role } = (await profileOf(scenario.db, email)) ?? { role: null };
      const unmade = row === 'new address' ? null : 'buyer';
      expect(role).toBe(outcome === 'allowed' ? 'admin' : unmade);
    },
  }),

  // The result does not reveal whether an address is known; a role in the form is ignored.
  'commands/sign-up#signUp': operation({
    cells: sameForAll(
      ['new address', 'allowed'],
      ['new address, role admin in the form', 'allowed'],
      ['taken address', 'allowed'],
    ),
    prepare: async ({ scenario, row }) =>
      row === 'taken address' ? (await createUser(scenario.db, 'agent')).email : newAddress(),
    act(ctx, email) {
      const form = { role: 'admin', user_type: 'admin', emailVerified: true, email_verified: true };
      return signUp(ctx, { ...form, email, password: NEW_PASSWORD, userAgent: null });
    },
    async verify(_, email, { scenario, row }) {
      const found = await profileOf(scenario.db, email);
      const taken = row === 'taken address';
      expect(found).toEqual({ role: taken ? 'agent' : 'buyer', email_verified: taken });
    },
  }),

  'commands/verify-email#verifyEmail': operation({
    cells: sameForAll(
      ['mailed token', 'allowed'],
      ['mailed token, wrong password', 'wrong_password'],
      ['made up', 'invalid'],
      ['another address signed by no one', 'invalid'],
    ),
    async prepare({ scenario, row }) {
      const { email } = await createUserWithPassword(scenario, 'buyer');
      await scenario.db
        .q()
        .updateTable('users')
        .set({ email_verified: false })
        .where('email', '=', email)
        .execute();
      const token = await issueConfirmToken(scenario.ctx('anonymous'), email);
      if (row === 'made up') return { email, token: 'made-up' };
      const [head, , signature] = token.split('.');
      const body = Buffer.from(JSON.stringify({ email, exp: 4e9 })).toString('base64url');
      return { email, token: row.startsWith('mailed token') ? token : `${head}.${body}.${signature}` };
    },
    act: (ctx, { token }, { row }) =>
      verifyEmail(ctx, { token, password: row.endsWith('wrong password') ? NEW_PASSWORD : PASSWORD }),
    async verify(_, { email }, { scenario, outcome }) {
      expect((await profileOf(scenario.db, email))?.email_verified).toBe(outcome === 'allowed');
    },
  }),

  'commands/request-password-reset#requestPasswordReset': operation({
    cells: sameForAll(['known address', 'allowed'], ['unknown address', 'allowed']),
    prepare: async ({ scenario, row }) =>
      row === 'known address' ? (await createUserWithPassword(scenario, 'buyer')).email : newAddress(),
    act: (ctx, email) => requestPasswordReset(ctx, { email }),
    async verify(_, email, { scenario, row }) {
      expect(await mailbox(scenario.db, email)).toHaveLength(row === 'known address' ? 1 : 0);
    },
  }),

  'commands/resend-verification#resendVerification': operation({
    cells: sameForAll(
      ['address to confirm', 'allowed'],
      ['confirmed address', 'allowed'],
      ['unknown address', 'allowed'],
    ),
    async prepare({ scenario, row }) {
      if (row === 'unknown address') return newAddress();
      const { email } = await createUser(scenario.db, 'buyer');
      await scenario.db
        .q()
        .updateTable('users')
        .set({ email_verified: row === 'confirmed address' })
        .where('email', '=', email)
        .execute();
      return email;
    },
    act: (ctx, email) => resendVerification(ctx, { email }),
    async verify(_, email, { scenario, row }) {
      expect(await mailbox(scenario.db, email)).toHaveLength(row === 'address to confirm' ? 1 : 0);
    },
  }),

  // The mailed token decides whose password is set, not the current session.
  'commands/reset-password#resetPassword': operation({
    cells: sameForAll(['someone’s token', 'allowed'], ['made up', 'token']),
    async prepare({ scenario, row }) {
      const owner = await createUserWithPassword(scenario, 'buyer');
      const other = await createUserWithPassword(scenario, 'admin');
      const token = await issueResetToken(scenario.ctx('anonymous'), owner.id);
      await markSetupPending(scenario, owner);
      await markSetupPending(scenario, other);
      return {
        owner,
        other,
        token: row === 'made up' ? randomUUID() : token,
        sessions: [await scenario.session(owner), await scenario.session(other)],
        before: [await credentialOf(scenario, owner), await credentialOf(scenario, other)],
      };
    },
    act: (ctx, { token }) => resetPassword(ctx, { token, password: NEW_PASSWORD, confirm: NEW_PASSWORD }),
    async verify(result, { owner, other, sessions, before }, { scenario, outcome }) {
      const open = await openSessions(scenario);
      const done = outcome === 'allowed';
      expect(sessions.map((id) => open.includes(id))).toEqual([!done, true]);
      expect((await credentialOf(scenario, owner)) === before[0]).toBe(!done);
      expect(await credentialOf(scenario, other)).toBe(before[1]);
      expect(await setupStateOf(scenario, other)).toEqual(UNFINISHED);
      if (result?.ok) expect(result.role).toBe('buyer');
    },
  }),

  // Each login accepts its own role only; the buyers' login also accepts sellers. Suspended sellers may sign in, archived ones not.
  'commands/sign-in#signIn': operation({
    cells: sameForAll(
      ['buyer, buyers’ login', 'allowed'],
      ['agent, agents’ login', 'allowed'],
      ['suspended agent, agents’ login', 'allowed'],
      ['admin, admins’ login', 'allowed'],
      ['agent, buyers’ login', 'allowed'],
      ['buyer, agents’ login', 'wrong_login'],
      ['admin, agents’ login', 'wrong_login'],
      ['buyer, admins’ login', 'wrong_login'],
      ['agent, admins’ login', 'wrong_login'],
      ['archived agent, agents’ login', 'wrong_login'],
      ['archived agent, buyers’ login', 'wrong_login'],
      ['unconfirmed buyer, buyers’ login', 'email_not_confirmed'],
      ['admin who must change, admins’ login', 'must_change_password'],
      ['admin with an authenticator, admins’ login', 'second_step'],
      ['wrong password, admins’ login', 'wrong_credentials'],
      ['unknown address, buyers’ login', 'wrong_credentials'],
    ).concat(`
      wrong password, agents’ login  wrong_credentials${'  signed_out'.repeat(6)}
      unconfirmed agent, agents’ login  email_not_confirmed${'  signed_out'.repeat(6)}
    `),
    async prepare({ scenario, row, actor }) {
      const role = (/\b(buyer|agent|admin)\b/.exec(row.split(',')[0] ?? '')?.[1] ?? 'admin') as LoginRole;
      const person = await createUserWithPassword(scenario, role, row.split(' ')[0]);
      if (row.includes('must change'))
        await scenario.db
          .q()
          .updateTable('profiles')
          .set({ must_change_password: true })
          .where('id', '=', person.id)
          .execute();
      if (row.includes('authenticator')) await giveAuthenticator(scenario.db, person.id);
      const before = actor === 'anonymous' ? null : await scenario.session(scenario.person(actor));
      return { person, before };
    },
    act: (ctx, { person, before }, { row }) =>
      signIn(ctx, {
        loginRole: (/(\w+)s’ login/.exec(row)?.[1] ?? '') as LoginRole,
        email: row.startsWith('unknown') ? newAddress() : person.email,
        password: row.startsWith('wrong') ? 'Not the password 1' : PASSWORD,
        userAgent: null,
        currentSessionId: before,
      }),
    outcomeOf(result) {
      if (result.ok) return 'allowed';
      const failed = result.reason === 'wrong_credentials' || result.reason === 'email_not_confirmed';
      return failed && result.cookies ? 'signed_out' : result.reason;
    },
    mayChange: (outcome) => !['email_not_confirmed', 'wrong_credentials'].includes(outcome),
    async verify(result, { person, before }, { scenario, outcome }) {
      const begun = await scenario.db
        .q()
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', person.id)
        .execute();
      expect(begun).toHaveLength(outcome === 'allowed' ? 1 : 0);
      // The right password ends the browser's earlier session, and on the sellers' page a failed attempt as well.
      const ends = ['allowed', 'wrong_login', 'must_change_password', 'second_step', 'signed_out'].includes(
        outcome,
      );
      if (before) expect((await openSessions(scenario)).includes(before)).toBe(!ends);
      if (result?.ok) expect(result.actor).toMatchObject({ id: person.id, role: person.role });
    },
  }),
};

async function profileOf(db: Parameters<typeof mailbox>[0], email: string) {
  return db
    .q()
    .selectFrom('users as u')
    .innerJoin('profiles as p', 'p.id', 'u.id')
    .select(['p.role', 'u.email_verified'])
    .where('u.email', '=', email)
    .executeTakeFirst();
}
