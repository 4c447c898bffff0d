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
import { ownSessions, resetTokenWorks, viewerOf } from '#features/accounts/reads.ts';
import type { Door } from '#features/accounts/rules.ts';
import { issueConfirmToken, issueResetToken } from '#platform/auth/auth.ts';
import { mailbox, PASSWORD } from '#tests/support/accounts.ts';
import { createPerson } from '#tests/support/people.ts';
import { type Cells, operation } from '../operation.ts';
import {
  credentialOf,
  givePassword,
  leaveUnfinished,
  openSessions,
  personWithPassword,
  unfinishedOf,
} from '../people-with-passwords.ts';

const NEW_PASSWORD = 'Plumb-Line 78 copper';
/** Nothing of another person is finished by what someone does for oneself. */
const UNFINISHED = { email_verified: false, must_change_password: true };
const newAddress = () => `new-${randomUUID().slice(0, 12)}@example.test`;

// Doors need no account; who is signed in meanwhile changes nothing of what they answer.
const everyone = (...rows: [row: string, word: string][]) => `
  anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
  ${rows.map(([row, word]) => `${row}${`  ${word}`.repeat(7)}`).join('\n')}
`;

export const cells: Cells = {
  'reads#viewerOf': operation({
    cells: `
                  anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
      oneself     nobody     buyer   buyer   agent    agent    agent      admin
    `,
    act: async (ctx) => viewerOf(ctx),
    says: (viewer) => viewer?.role ?? 'nobody',
    holds(viewer, _, { stage, actor }) {
      if (actor === 'anonymous') return;
      const { id, role, name, email, emailVerified, suspended } = stage.person(actor);
      expect(viewer).toEqual({ id, role, name, email, emailVerified, suspended });
    },
  }),

  // One's own open sessions, and of them the current one, also when somebody else's is named as current.
  'reads#ownSessions': operation({
    cells: `
                                 anonymous        buyerA   buyerB   sellerA  sellerB  suspended  admin
      by the own session         Unauthenticated  allowed  allowed  allowed  allowed  allowed    allowed
      by somebody else’s session  Unauthenticated  allowed  allowed  allowed  allowed  allowed   allowed
    `,
    async prepare({ stage, row, actor }) {
      await stage.db.q().deleteFrom('sessions').execute();
      const owner = actor === 'anonymous' ? stage.cast.buyerA : stage.person(actor);
      const other = actor === 'buyerB' ? stage.cast.buyerA : stage.cast.buyerB;
      const own = [await stage.session(owner), await stage.session(owner)];
      await stage.session(owner, { expires_at: new Date(Date.now() - 1_000) });
      const foreign = await stage.session(other);
      return { own, current: row === 'by the own session' ? own[0] : foreign };
    },
    act: (ctx, { current }) => ownSessions(ctx, current ?? null),
    holds(sessions, { own, current }, { word }) {
      if (word !== 'allowed') return;
      expect(sessions?.map(({ id }) => id).sort()).toEqual(own.sort());
      expect(sessions?.filter((one) => one.current).map(({ id }) => id)).toEqual(
        own.filter((id) => id === current),
      );
    },
  }),

  'reads#resetTokenWorks': operation({
    cells: everyone(['buyer A’s', 'works'], ['buyer A’s, too old', 'no'], ['made up', 'no']),
    async prepare({ stage, row }) {
      if (row === 'made up') return randomUUID();
      await stage.db.q().deleteFrom('verifications').execute();
      const token = await issueResetToken(stage.ctx('anonymous'), stage.cast.buyerA.id);
      if (row.endsWith('too old'))
        await stage.db
          .q()
          .updateTable('verifications')
          .set({ expires_at: new Date(Date.now() - 1_000) })
          .execute();
      return token;
    },
    act: (ctx, token) => resetTokenWorks(ctx, token),
    says: (works) => (works ? 'works' : 'no'),
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
    async prepare({ stage, row, actor }) {
      const { buyerA, sellerA, admin } = stage.cast;
      if (row === 'one that ended') return randomUUID();
      if (row === 'no id at all') return "' or 1=1 --";
      if (row === 'buyer A’s') return stage.session(buyerA);
      if (row === 'seller A’s') return stage.session(sellerA);
      if (row === 'the admin’s') return stage.session(admin);
      return stage.session(actor === 'anonymous' ? buyerA : stage.person(actor));
    },
    act: (ctx, sessionId) => revokeSession(ctx, { sessionId }),
    async holds(_, id, { stage, word }) {
      if (word === 'allowed') expect(await openSessions(stage)).not.toContain(id);
    },
  }),

  // Another person's session stays open, whoever asks to end it.
  'commands/sign-out#signOut': operation({
    cells: `
                    anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
      one’s own     stays      ended   ended   ended    ended    ended      ended
      buyer A’s     stays      ended   stays   stays    stays    stays      stays
      the admin’s   stays      stays   stays   stays    stays    stays      ended
    `,
    prepare({ stage, row, actor }) {
      const { buyerA, admin } = stage.cast;
      if (row !== 'one’s own') return stage.session(row === 'buyer A’s' ? buyerA : admin);
      return stage.session(actor === 'anonymous' ? buyerA : stage.person(actor));
    },
    act: (ctx, sessionId) => signOut(ctx, { sessionId }),
    says: async (_, id, { stage }) => ((await openSessions(stage)).includes(id) ? 'stays' : 'ended'),
    holds: (answer) => expect(answer?.cookies).toEqual([expect.stringContaining('Max-Age=0')]),
  }),

  'commands/change-password#changePassword': operation({
    cells: `
                          anonymous        buyerA   buyerB   sellerA  sellerB  suspended  admin
      right one given     Unauthenticated  allowed  allowed  allowed  allowed  allowed    allowed
      wrong one given     Unauthenticated  invalid  invalid  invalid  invalid  invalid    invalid
    `,
    async prepare({ stage, actor }) {
      const own = actor === 'anonymous' ? stage.cast.buyerA : stage.person(actor);
      const other = actor === 'buyerB' ? stage.cast.buyerA : stage.cast.buyerB;
      await givePassword(stage, own);
      await givePassword(stage, other, 'Another 1 of brass');
      await leaveUnfinished(stage, other);
      await stage.db.q().deleteFrom('rate_limits').execute();
      return {
        other,
        current: await stage.session(own),
        elsewhere: await stage.session(own),
        foreign: await stage.session(other),
        before: await credentialOf(stage, other),
      };
    },
    act: (ctx, { current }, { row }) =>
      changePassword(ctx, {
        current: row === 'right one given' ? PASSWORD : 'Not the password 1',
        password: NEW_PASSWORD,
        confirm: NEW_PASSWORD,
        currentSessionId: current,
      }),
    async holds(_, { other, current, elsewhere, foreign, before }, { stage, word }) {
      const open = await openSessions(stage);
      expect(open).toEqual(expect.arrayContaining([current, foreign]));
      expect(open.includes(elsewhere)).toBe(word !== 'allowed');
      expect(await credentialOf(stage, other)).toBe(before);
      expect(await unfinishedOf(stage, other)).toEqual(UNFINISHED);
    },
  }),

  'commands/create-admin#createAdmin': operation({
    cells: `
                     anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin
      new address    Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      taken address  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  address_taken
    `,
    prepare: async ({ stage, row }) => (row === 'new address' ? newAddress() : stage.cast.buyerA.email),
    act: (ctx, email) => createAdmin(ctx, { email }),
    async holds(_, email, { stage, row, word }) {
      const { role } = (await profileOf(stage.db, email)) ?? { role: null };
      const unmade = row === 'new address' ? null : 'buyer';
      expect(role).toBe(word === 'allowed' ? 'admin' : unmade);
    },
  }),

  // The same answer for known and unknown addresses; a role in the form is never read (B-014, B-090).
  'commands/sign-up#signUp': operation({
    cells: everyone(
      ['new address', 'allowed'],
      ['new address, role admin in the form', 'allowed'],
      ['taken address', 'allowed'],
    ),
    atOnce: true,
    prepare: async ({ stage, row }) =>
      row === 'taken address' ? (await createPerson(stage.db, 'agent')).email : newAddress(),
    act(ctx, email) {
      const form = { role: 'admin', user_type: 'admin', emailVerified: true, email_verified: true };
      return signUp(ctx, { ...form, email, password: NEW_PASSWORD, userAgent: null });
    },
    async holds(_, email, { stage, row }) {
      const found = await profileOf(stage.db, email);
      const taken = row === 'taken address';
      expect(found).toEqual({ role: taken ? 'agent' : 'buyer', email_verified: taken });
    },
  }),

  'commands/verify-email#verifyEmail': operation({
    cells: everyone(
      ['mailed token', 'allowed'],
      ['made up', 'invalid'],
      ['another address signed by no one', 'invalid'],
    ),
    async prepare({ stage, row }) {
      const { email } = await createPerson(stage.db, 'buyer');
      await stage.db
        .q()
        .updateTable('users')
        .set({ email_verified: false })
        .where('email', '=', email)
        .execute();
      const token = await issueConfirmToken(stage.ctx('anonymous'), email);
      if (row === 'made up') return { email, token: 'made-up' };
      const [head, , signature] = token.split('.');
      const body = Buffer.from(JSON.stringify({ email, exp: 4e9 })).toString('base64url');
      return { email, token: row === 'mailed token' ? token : `${head}.${body}.${signature}` };
    },
    act: (ctx, { token }) => verifyEmail(ctx, { token }),
    async holds(_, { email }, { stage, word }) {
      expect((await profileOf(stage.db, email))?.email_verified).toBe(word === 'allowed');
    },
  }),

  'commands/request-password-reset#requestPasswordReset': operation({
    cells: everyone(['known address', 'allowed'], ['unknown address', 'allowed']),
    atOnce: true,
    prepare: async ({ stage, row }) =>
      row === 'known address' ? (await personWithPassword(stage, 'buyer')).email : newAddress(),
    act: (ctx, email) => requestPasswordReset(ctx, { email }),
    async holds(_, email, { stage, row }) {
      expect(await mailbox(stage.db, email)).toHaveLength(row === 'known address' ? 1 : 0);
    },
  }),

  'commands/resend-verification#resendVerification': operation({
    cells: everyone(
      ['address to confirm', 'allowed'],
      ['confirmed address', 'allowed'],
      ['unknown address', 'allowed'],
    ),
    atOnce: true,
    async prepare({ stage, row }) {
      if (row === 'unknown address') return newAddress();
      const { email } = await createPerson(stage.db, 'buyer');
      await stage.db
        .q()
        .updateTable('users')
        .set({ email_verified: row === 'confirmed address' })
        .where('email', '=', email)
        .execute();
      return email;
    },
    act: (ctx, email) => resendVerification(ctx, { email }),
    async holds(_, email, { stage, row }) {
      expect(await mailbox(stage.db, email)).toHaveLength(row === 'address to confirm' ? 1 : 0);
    },
  }),

  // The mailed token decides whose password is set, never who is signed in.
  'commands/reset-password#resetPassword': operation({
    cells: everyone(['someone’s token', 'allowed'], ['made up', 'token']),
    atOnce: true,
    async prepare({ stage, row }) {
      const owner = await personWithPassword(stage, 'buyer');
      const other = await personWithPassword(stage, 'admin');
      const token = await issueResetToken(stage.ctx('anonymous'), owner.id);
      await leaveUnfinished(stage, owner);
      await leaveUnfinished(stage, other);
      return {
        owner,
        other,
        token: row === 'made up' ? randomUUID() : token,
        sessions: [await stage.session(owner), await stage.session(other)],
        before: [await credentialOf(stage, owner), await credentialOf(stage, other)],
      };
    },
    act: (ctx, { token }) => resetPassword(ctx, { token, password: NEW_PASSWORD, confirm: NEW_PASSWORD }),
    async holds(result, { owner, other, sessions, before }, { stage, word }) {
      const open = await openSessions(stage);
      const done = word === 'allowed';
      expect(sessions.map((id) => open.includes(id))).toEqual([!done, true]);
      expect((await credentialOf(stage, owner)) === before[0]).toBe(!done);
      expect(await credentialOf(stage, other)).toBe(before[1]);
      expect(await unfinishedOf(stage, other)).toEqual(UNFINISHED);
      if (result?.ok) expect(result.role).toBe('buyer');
    },
  }),

  // Each door opens for its role alone, the buyers' for all (S0 §6, S1 §5, B-089, B-098, B-100).
  'commands/sign-in#signIn': operation({
    cells: everyone(
      ['buyer, buyers’ door', 'allowed'],
      ['agent, agents’ door', 'allowed'],
      ['suspended agent, agents’ door', 'allowed'],
      ['admin, admins’ door', 'allowed'],
      ['agent, buyers’ door', 'allowed'],
      ['buyer, agents’ door', 'wrong_door'],
      ['admin, agents’ door', 'wrong_door'],
      ['buyer, admins’ door', 'wrong_door'],
      ['agent, admins’ door', 'wrong_door'],
      ['archived agent, agents’ door', 'wrong_door'],
      ['archived agent, buyers’ door', 'wrong_door'],
      ['unconfirmed buyer, buyers’ door', 'email_not_confirmed'],
      ['admin who must change, admins’ door', 'must_change_password'],
      ['wrong password, admins’ door', 'wrong_credentials'],
      ['unknown address, buyers’ door', 'wrong_credentials'],
    ),
    atOnce: true,
    async prepare({ stage, row, actor }) {
      const role = (/\b(buyer|agent|admin)\b/.exec(row.split(',')[0] ?? '')?.[1] ?? 'admin') as Door;
      const person = await personWithPassword(stage, role, row.split(' ')[0]);
      if (row.includes('must change'))
        await stage.db
          .q()
          .updateTable('profiles')
          .set({ must_change_password: true })
          .where('id', '=', person.id)
          .execute();
      const before = actor === 'anonymous' ? null : await stage.session(stage.person(actor));
      return { person, before };
    },
    act: (ctx, { person, before }, { row }) =>
      signIn(ctx, {
        door: (/(\w+)s’ door/.exec(row)?.[1] ?? '') as Door,
        email: row.startsWith('unknown') ? newAddress() : person.email,
        password: row.startsWith('wrong') ? 'Not the password 1' : PASSWORD,
        userAgent: null,
        currentSessionId: before,
      }),
    says: (result) => (result.ok ? 'allowed' : result.reason),
    async holds(result, { person, before }, { stage, word }) {
      const begun = await stage.db
        .q()
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', person.id)
        .execute();
      expect(begun).toHaveLength(word === 'allowed' ? 1 : 0);
      // With the right password the browser's earlier session ends; a failed try leaves it alone.
      const ends = ['allowed', 'wrong_door', 'must_change_password'].includes(word);
      if (before) expect((await openSessions(stage)).includes(before)).toBe(!ends);
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
