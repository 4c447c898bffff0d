import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createRegistrationLink } from '#features/sellers/commands/create-registration-link.ts';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import { registerSeller } from '#features/sellers/commands/register-seller.ts';
import { resendInvitation } from '#features/sellers/commands/resend-invitation.ts';
import { ownSellerProfile, registrationState } from '#features/sellers/reads.ts';
import { mailbox, PASSWORD } from '#tests/support/fixtures/accounts.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { systemContext, withoutRateLimits } from '../support/sales.ts';
import { agentRecord, type Scenario } from '../support/scenario.ts';
import { HEAD, sameForAll, sellersOnlyRow, systemOnlyRows } from '../support/table-rows.ts';

async function inviteNewSeller(scenario: Scenario) {
  const email = `invited-${randomUUID()}@example.test`;
  const made = await inviteSeller(systemContext(scenario), { name: 'Ines Calloway', email });
  if (!made.ok) throw new Error(made.reason);
  return { id: made.sellerId, email, token: new URL(made.link).searchParams.get('token') ?? '' };
}

/** The invitation link a row describes. */
async function linkOf({ scenario, row }: Cell) {
  const { id, email, token } = await inviteNewSeller(scenario);
  if (row === 'the id alone') return { id, email, token: null };
  if (row === 'another’s token') return { id, email, token: (await inviteNewSeller(scenario)).token };
  if (row === 'no such id') return { id: randomUUID(), email, token };
  if (row === 'no id at all') return { id: "' or 1=1 --", email, token };
  if (row === 'seller A’s') return { id: scenario.cast.sellerA.agentId ?? '', email, token };
  return { id, email, token };
}

async function archivedSeller({ db }: Scenario): Promise<string> {
  const { agentId } = await createUser(db, 'agent');
  await db.q().updateTable('agents').set({ archived_at: new Date() }).where('id', '=', agentId).execute();
  return agentId ?? '';
}

export const cells: Cells = {
  // For other mails to the seller.
  'commands/create-registration-link#createRegistrationLink': operation({
    cells: systemOnlyRows('an invited seller'),
    prepare: ({ scenario }) => inviteNewSeller(scenario),
    act: (ctx, { id }) => createRegistrationLink(ctx, { sellerId: id }),
  }),

  'reads#registrationState': operation({
    cells: sameForAll(
      ['the whole link', 'ready'],
      ['the id alone', 'ready'],
      ['another’s token', 'invalid'],
      ['no such id', 'unknown'],
      ['no id at all', 'invalid'],
      ['seller A’s', 'registered'],
    ),
    prepare: linkOf,
    act: (ctx, link) => registrationState(ctx, link),
    outcomeOf: ({ state }) => state,
    mayChange: () => false,
    verify: (found, { email }, { row }) => {
      if (found?.state !== 'ready') return;
      // The id alone, which is no secret, shows nothing of the invitation.
      expect(found).toEqual(
        row === 'the id alone'
          ? { state: 'ready', proven: false }
          : { state: 'ready', proven: true, name: 'Ines Calloway', email },
      );
    },
  }),

  'commands/register-seller#registerSeller': operation({
    cells: sameForAll(
      ['the whole link', 'allowed'],
      ['the id alone', 'allowed'],
      ['another’s token', 'invalid'],
      ['no such id', 'unknown'],
      ['no id at all', 'invalid'],
      ['seller A’s', 'registered'],
    ),
    prepare: linkOf,
    act: (ctx, { id, token }, { scenario }) =>
      registerSeller(withoutRateLimits(ctx), {
        id,
        token,
        name: 'Mallory Other',
        email: scenario.cast.buyerA.email,
        password: PASSWORD,
        confirm: PASSWORD,
      }),
    async verify(_, { id, email }, { scenario, outcome, row }) {
      if (outcome !== 'allowed') return;
      const row_ = await agentRecord(scenario, id);
      const registered = row === 'the whole link';
      expect(row_).toMatchObject({ name: 'Ines Calloway', email, is_registered: registered });
      if (!registered) {
        const mails = await mailbox(scenario.db, email);
        expect(mails.map(({ subject }) => subject)).toEqual([
          'Your invitation to sell',
          'Your invitation to sell',
        ]);
        expect(row_.user_id).toBeNull();
        return;
      }
      const user = await scenario.db
        .q()
        .selectFrom('users')
        .select(['id', 'email', 'name', 'email_verified'])
        .where('id', '=', row_.user_id)
        .executeTakeFirstOrThrow();
      expect(user).toMatchObject({ email, name: 'Ines Calloway', email_verified: true });
    },
  }),

  'commands/invite-seller#inviteSeller': operation({
    cells: `
      ${HEAD}
      a new address      Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      buyer A’s address  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  address_taken
      seller A’s address  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  duplicate
    `,
    prepare: async ({ scenario, row }) => {
      if (row === 'a new address') return `new-${randomUUID()}@example.test`;
      return scenario.cast[row === 'buyer A’s address' ? 'buyerA' : 'sellerA'].email;
    },
    act: (ctx, email) => inviteSeller(ctx, { name: 'Somebody New', email }),
  }),

  'commands/resend-invitation#resendInvitation': operation({
    cells: `
      ${HEAD}
      an invited seller  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      seller A           Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  reset
      an archived one    Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
      no such id         Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
      no id at all       Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
    `,
    async prepare({ scenario, row }) {
      if (row === 'an archived one') return archivedSeller(scenario);
      if (row === 'seller A') return scenario.cast.sellerA.agentId ?? '';
      if (row === 'no such id') return randomUUID();
      return row === 'no id at all' ? "' or 1=1 --" : (await inviteNewSeller(scenario)).id;
    },
    act: (ctx, sellerId) => resendInvitation(withoutRateLimits(ctx), { sellerId }),
    outcomeOf: ({ isPasswordReset }) => (isPasswordReset ? 'reset' : 'allowed'),
  }),

  'reads#ownSellerProfile': operation({
    cells: sellersOnlyRow('oneself', 'own', 'own'),
    act: (ctx) => ownSellerProfile(ctx),
    outcomeOf: ({ id }, _, { scenario, actor }) => (id === scenario.person(actor).agentId ? 'own' : 'wrong'),
    mayChange: () => false,
  }),
};
