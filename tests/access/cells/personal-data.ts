import { expect } from 'vitest';
import { closeAccount } from '#features/personal-data/commands/close-account.ts';
import { eraseAccount } from '#features/personal-data/commands/erase-account.ts';
import { exportOwnData } from '#features/personal-data/reads.ts';
import { PASSWORD } from '#tests/support/fixtures/accounts.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { createUserWithPassword, givePassword } from '../support/credentials.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { sharedSale, withoutRateLimits } from '../support/sales.ts';
import { systemOnlyRows } from '../support/table-rows.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const isClosed = async ({ scenario }: Cell, id: string) =>
  (
    await scenario.db
      .q()
      .selectFrom('users')
      .select('closed_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).closed_at !== null;

export const cells: Cells = {
  // Only one's own data, which mentions no other user.
  'reads#exportOwnData': operation({
    cells: `
      ${HEAD}
      oneself  Unauthenticated  own  own  own  own  own  own
    `,
    prepare: ({ scenario }) =>
      scenario.listing('A’s Active').then((id) =>
        scenario.db
          .q()
          .insertInto('property_inquiries')
          .values({
            property_id: id,
            user_id: scenario.cast.buyerA.id,
            message: `Between us: ${scenario.cast.buyerA.email}`,
          })
          .execute(),
      ),
    async act(ctx) {
      let text = '';
      for await (const piece of exportOwnData(ctx)) text += piece;
      return text;
    },
    outcomeOf: (text, _, { scenario, actor }) =>
      JSON.parse(text).account.id === scenario.person(actor).id ? 'own' : 'wrong',
    mayChange: () => false,
    verify(text, _, { scenario, actor }) {
      if (text === undefined) return;
      const { anonymous: __, suspendedSeller, ...cast } = scenario.cast;
      for (const [name, person] of Object.entries({ ...cast, suspended: suspendedSeller }))
        if (name !== actor) expect(text, name).not.toContain(person.email);
    },
  }),

  // Part of closing an account; what closes it decides whose.
  'commands/erase-account#eraseAccount': operation({
    cells: systemOnlyRows('somebody’s account'),
    prepare: ({ scenario }) => createUser(scenario.db, 'buyer'),
    act: (ctx, user) => eraseAccount(ctx, user),
    async verify(_, { id }, cell) {
      expect(await isClosed(cell, id)).toBe(false);
    },
  }),

  // Buyers only, with their password, and not during a purchase. Runs with users created for it.
  'commands/close-account#closeAccount': operation({
    cells: `
      ${HEAD}
      right password   Unauthenticated  allowed    allowed    Forbidden  Forbidden  Forbidden  Forbidden
      wrong password   Unauthenticated  password   password   Forbidden  Forbidden  Forbidden  Forbidden
      without one      Unauthenticated  password   password   Forbidden  Forbidden  Forbidden  Forbidden
      a purchase open  Unauthenticated  live_sale  live_sale  Forbidden  Forbidden  Forbidden  Forbidden
    `,
    async prepare({ scenario, actor, row }) {
      if (actor === 'anonymous') return null;
      const own = scenario.person(actor);
      if (own.role !== 'buyer') return own;
      if (row !== 'a purchase open') return createUserWithPassword(scenario, 'buyer');
      await sharedSale(
        scenario,
        'in escrow',
        actor === 'buyerB' ? { buyer: actor, seller: 'suspended' } : {},
      );
      await givePassword(scenario, own);
      return own;
    },
    act: (ctx, person, { row }) =>
      closeAccount(withoutRateLimits(person ? { ...ctx, actor: person } : ctx), {
        password: { 'wrong password': 'Not 1 of them', 'without one': '' }[row] ?? PASSWORD,
      }),
    async verify(_, person, cell) {
      if (person) expect(await isClosed(cell, person.id)).toBe(cell.outcome === 'allowed');
    },
  }),
};
