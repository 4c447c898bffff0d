import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { confirmPaypal } from '#features/sellers/commands/confirm-paypal.ts';
import { disconnectStripe } from '#features/sellers/commands/disconnect-stripe.ts';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import { registerSeller } from '#features/sellers/commands/register-seller.ts';
import { resendInvitation } from '#features/sellers/commands/resend-invitation.ts';
import { savePayoutSettings } from '#features/sellers/commands/save-payout-settings.ts';
import { paypalToken } from '#features/sellers/paypal-token.ts';
import { ownPayout, ownSeller, paypalLinkWorks, registrationOf } from '#features/sellers/reads.ts';
import { PASSWORD } from '#tests/support/accounts.ts';
import { testConfig } from '#tests/support/context.ts';
import { type Cell, type Cells, operation } from '../operation.ts';
import { systemOf, unhurried } from '../sales.ts';
import type { Stage } from '../stage.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
/** The same word for everybody: a link is opened by whoever has it. */
const everyone = (...rows: [row: string, word: string][]) =>
  `${HEAD}\n${rows.map(([row, word]) => `${row}${`  ${word}`.repeat(7)}`).join('\n')}`;
const sellersAlone = (row: string, word: string, suspended: string) =>
  `${HEAD}\n${row}  Unauthenticated  Forbidden  Forbidden  ${word}  ${word}  ${suspended}  Forbidden`;

async function invited(stage: Stage) {
  const email = `invited-${randomUUID()}@example.test`;
  const made = await inviteSeller(systemOf(stage), { name: 'Ines Calloway', email });
  if (!made.ok) throw new Error(made.reason);
  return { id: made.sellerId, email, token: new URL(made.link).searchParams.get('token') ?? '' };
}

/** The link of a row. */
async function linkOf({ stage, row }: Cell) {
  const { id, email, token } = await invited(stage);
  if (row === 'the id alone') return { id, email, token: null };
  if (row === 'another’s token') return { id, email, token: (await invited(stage)).token };
  if (row === 'no such id') return { id: randomUUID(), email, token };
  if (row === 'no id at all') return { id: "' or 1=1 --", email, token };
  if (row === 'seller A’s') return { id: stage.cast.sellerA.agentId ?? '', email, token };
  return { id, email, token };
}

const record = ({ db }: Stage, agentId: string | null) =>
  db.q().selectFrom('agents').selectAll().where('id', '=', agentId).executeTakeFirstOrThrow();

/** Gives every seller a PayPal address that waits for its confirmation, and a Stripe account. */
async function setPayouts({ db, cast }: Stage): Promise<void> {
  for (const { agentId } of [cast.sellerA, cast.sellerB, cast.suspendedSeller])
    await db
      .q()
      .updateTable('agents')
      .set({
        preferred_payout_method: 'paypal',
        paypal_email: `paypal-of-${agentId}@example.test`,
        paypal_confirmed_at: null,
        stripe_account_id: `acct_${agentId}`,
        stripe_transfers_active: true,
        payout_status: 'pending',
      })
      .where('id', '=', agentId)
      .execute();
}
const tokenOf = (agentId: string | null) =>
  paypalToken(testConfig, agentId ?? '', `paypal-of-${agentId}@example.test`);

/** What the records of the other sellers say, before and after. */
const others = ({ stage, actor }: Cell) =>
  stage.db
    .q()
    .selectFrom('agents')
    .selectAll()
    .where('id', '<>', actor === 'anonymous' ? randomUUID() : (stage.person(actor).agentId ?? randomUUID()))
    .orderBy('id')
    .execute();

export const cells: Cells = {
  'reads#registrationOf': operation({
    cells: everyone(
      ['the whole link', 'ready'],
      ['the id alone', 'ready'],
      ['another’s token', 'invalid'],
      ['no such id', 'unknown'],
      ['no id at all', 'invalid'],
      ['seller A’s', 'registered'],
    ),
    prepare: linkOf,
    act: (ctx, link) => registrationOf(ctx, link),
    says: ({ state }) => state,
    changes: () => false,
    holds: (found, { email }) => {
      if (found?.state === 'ready') expect(found.email).toBe(email);
    },
  }),

  'commands/register-seller#registerSeller': operation({
    cells: everyone(
      ['the whole link', 'allowed'],
      ['the id alone', 'allowed'],
      ['another’s token', 'invalid'],
      ['no such id', 'unknown'],
      ['no id at all', 'invalid'],
      ['seller A’s', 'registered'],
    ),
    prepare: linkOf,
    act: (ctx, { id, token }, { stage }) =>
      registerSeller(unhurried(ctx), {
        id,
        token,
        name: 'Mallory Other',
        email: stage.cast.buyerA.email,
        password: PASSWORD,
        confirm: PASSWORD,
      }),
    async holds(_, { id, email }, { stage, word, row }) {
      if (word !== 'allowed') return;
      const row_ = await record(stage, id);
      expect(row_).toMatchObject({ name: 'Ines Calloway', email, is_registered: true });
      const user = await stage.db
        .q()
        .selectFrom('users')
        .select(['id', 'email', 'name', 'email_verified'])
        .where('id', '=', row_.user_id)
        .executeTakeFirstOrThrow();
      expect(user).toMatchObject({ email, name: 'Ines Calloway', email_verified: row === 'the whole link' });
    },
  }),

  'commands/invite-seller#inviteSeller': operation({
    cells: `
      ${HEAD}
      a new address      Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      buyer A’s address  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  address_taken
    `,
    prepare: async ({ stage, row }) =>
      row === 'a new address' ? `new-${randomUUID()}@example.test` : stage.cast.buyerA.email,
    act: (ctx, email) => inviteSeller(ctx, { name: 'Somebody New', email }),
  }),

  'commands/resend-invitation#resendInvitation': operation({
    cells: `
      ${HEAD}
      an invited seller  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      seller A           Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  registered
      no such id         Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
      no id at all       Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
    `,
    async prepare({ stage, row }) {
      if (row === 'seller A') return stage.cast.sellerA.agentId ?? '';
      if (row === 'no such id') return randomUUID();
      return row === 'no id at all' ? "' or 1=1 --" : (await invited(stage)).id;
    },
    act: (ctx, sellerId) => resendInvitation(unhurried(ctx), { sellerId }),
  }),

  'reads#ownSeller': operation({
    cells: sellersAlone('oneself', 'own', 'own'),
    act: (ctx) => ownSeller(ctx),
    says: ({ id }, _, { stage, actor }) => (id === stage.person(actor).agentId ? 'own' : 'wrong'),
    changes: () => false,
  }),

  'reads#ownPayout': operation({
    cells: sellersAlone('oneself', 'own', 'own'),
    prepare: ({ stage }) => setPayouts(stage),
    act: (ctx) => ownPayout(ctx),
    says: ({ paypalEmail }, _, { stage, actor }) =>
      paypalEmail === `paypal-of-${stage.person(actor).agentId}@example.test` ? 'own' : 'wrong',
    changes: () => false,
    // The whole account id is nobody's to read.
    holds: (found) => expect(JSON.stringify(found) ?? '').not.toContain('acct_'),
  }),

  // A link confirms the address of the seller whom it was made for, and of no other.
  'reads#paypalLinkWorks': operation({
    cells: `
      ${HEAD}
      seller A’s  Unauthenticated  Forbidden  Forbidden  works  no  no     Forbidden
      suspended   Unauthenticated  Forbidden  Forbidden  no     no  works  Forbidden
      made up     Unauthenticated  Forbidden  Forbidden  no     no  no     Forbidden
    `,
    prepare: ({ stage }) => setPayouts(stage),
    act: (ctx, _, { stage, row }) => paypalLinkWorks(ctx, confirming(stage, row)),
    says: (works) => (works ? 'works' : 'no'),
    changes: () => false,
  }),

  'commands/confirm-paypal#confirmPaypal': operation({
    cells: `
      ${HEAD}
      seller A’s  Unauthenticated  Forbidden  Forbidden  allowed  token  Forbidden  Forbidden
      suspended   Unauthenticated  Forbidden  Forbidden  token    token  Forbidden  Forbidden
      made up     Unauthenticated  Forbidden  Forbidden  token    token  Forbidden  Forbidden
    `,
    prepare: ({ stage }) => setPayouts(stage),
    act: (ctx, _, { stage, row }) => confirmPaypal(ctx, { token: confirming(stage, row) }),
    async holds(_, __, { stage, word }) {
      const { paypal_confirmed_at } = await record(stage, stage.cast.sellerA.agentId);
      expect(paypal_confirmed_at !== null).toBe(word === 'allowed');
    },
  }),

  // The own record alone, whatever else the form says (B-117).
  'commands/save-payout-settings#savePayoutSettings': operation({
    cells: `
      ${HEAD}
      PayPal   Unauthenticated  Forbidden  Forbidden  allowed  allowed  Forbidden  Forbidden
      Stripe   Unauthenticated  Forbidden  Forbidden  allowed  allowed  Forbidden  Forbidden
      nothing  Unauthenticated  Forbidden  Forbidden  typed    typed    Forbidden  Forbidden
    `,
    async prepare(cell) {
      await setPayouts(cell.stage);
      return others(cell);
    },
    act(ctx, _, { stage, row }) {
      const more = {
        id: stage.cast.sellerB.agentId,
        agentId: stage.cast.sellerB.agentId,
        commission_rate: 99,
      };
      const method = row === 'nothing' ? '' : row.toLowerCase();
      return savePayoutSettings(unhurried(ctx), { method, paypalEmail: 'new@example.test', ...more });
    },
    holds: async (_, before, cell) => expect(await others(cell)).toEqual(before),
  }),

  'commands/disconnect-stripe#disconnectStripe': operation({
    cells: sellersAlone('the own account', 'allowed', 'Forbidden'),
    async prepare(cell) {
      await setPayouts(cell.stage);
      return others(cell);
    },
    act: (ctx) => disconnectStripe(ctx),
    holds: async (_, before, cell) => expect(await others(cell)).toEqual(before),
  }),
};

function confirming({ cast }: Stage, row: string): string {
  if (row === 'made up') return 'made-up';
  return tokenOf((row === 'suspended' ? cast.suspendedSeller : cast.sellerA).agentId);
}
