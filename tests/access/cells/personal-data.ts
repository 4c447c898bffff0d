import { expect } from 'vitest';
import { closeAccount } from '#features/personal-data/commands/close-account.ts';
import { eraseAccount } from '#features/personal-data/commands/erase-account.ts';
import { eraseBuyer } from '#features/personal-data/commands/erase-buyer.ts';
import { prepareExport } from '#features/personal-data/commands/prepare-export.ts';
import { exportOwnData, exportRequestedData } from '#features/personal-data/reads.ts';
import { PASSWORD } from '#tests/support/fixtures/accounts.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { createUserWithPassword, givePassword } from '../support/credentials.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { sharedSale, withoutRateLimits } from '../support/sales.ts';
import { badId, systemOnlyRows } from '../support/table-rows.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const ADMINS = 'Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden';
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

  // By a link that an administrator got for themselves, about whoever it names.
  'reads#exportRequestedData': operation({
    cells: `
      ${HEAD}
      the link        ${ADMINS}  allowed
      of another one  ${ADMINS}  NotFound
      made up         ${ADMINS}  NotFound
    `,
    async prepare({ scenario, row }) {
      if (row === 'made up') return 'no-link-at-all';
      const { db, cast } = scenario;
      const actor = row === 'the link' ? cast.admin : await createUser(db, 'admin');
      const prepared = await prepareExport(
        { ...scenario.ctx('admin'), actor },
        { userId: cast.buyerA.id, reason: 'Asked by letter' },
      );
      return prepared.ok ? prepared.link : '';
    },
    async act(ctx, link) {
      let text = '';
      for await (const piece of exportRequestedData(ctx, { link })) text += piece;
      return text;
    },
    mayChange: () => false,
    verify(text, _, { scenario }) {
      if (text !== undefined) expect(text).toContain(scenario.cast.buyerA.email);
    },
  }),

  'commands/prepare-export#prepareExport': operation({
    cells: `
      ${HEAD}  unproven
      a buyer           ${ADMINS}  allowed   ProofRequired
      a seller          ${ADMINS}  allowed   ProofRequired
      an administrator  ${ADMINS}  NotFound  ProofRequired
      closed            ${ADMINS}  closed    ProofRequired
      without a reason  ${ADMINS}  empty     ProofRequired
      unknown id        ${ADMINS}  NotFound  ProofRequired
      no id at all      ${ADMINS}  NotFound  ProofRequired
    `,
    async prepare({ scenario: { db }, row }) {
      const role = row === 'a seller' ? 'agent' : row === 'an administrator' ? 'admin' : 'buyer';
      const { id } = await createUser(db, role);
      if (row === 'closed')
        await db.q().updateTable('users').set({ closed_at: new Date() }).where('id', '=', id).execute();
      return id;
    },
    act: (ctx, id, cell) =>
      prepareExport(ctx, {
        userId: badId(cell, id) ?? id,
        reason: cell.row === 'without a reason' ? ' ' : 'Asked by letter',
      }),
  }),

  'commands/erase-buyer#eraseBuyer': operation({
    cells: `
      ${HEAD}  unproven
      a buyer           ${ADMINS}  allowed      ProofRequired
      another address   ${ADMINS}  unconfirmed  ProofRequired
      without a reason  ${ADMINS}  empty        ProofRequired
      a purchase open   ${ADMINS}  live_sale    ProofRequired
      closed            ${ADMINS}  closed       ProofRequired
      a seller          ${ADMINS}  NotFound     ProofRequired
      unknown id        ${ADMINS}  NotFound     ProofRequired
      no id at all      ${ADMINS}  NotFound     ProofRequired
    `,
    async prepare({ scenario, row }) {
      if (row === 'a purchase open') {
        await sharedSale(scenario, 'in escrow');
        return scenario.cast.buyerA;
      }
      const person = await createUser(scenario.db, row === 'a seller' ? 'agent' : 'buyer');
      if (row === 'closed')
        await scenario.db
          .q()
          .updateTable('users')
          .set({ closed_at: new Date() })
          .where('id', '=', person.id)
          .execute();
      return person;
    },
    act: (ctx, { id, email }, cell) =>
      eraseBuyer(ctx, {
        buyerId: badId(cell, id) ?? id,
        reason: cell.row === 'without a reason' ? '' : 'Asked by letter',
        confirmation: cell.row === 'another address' ? `not-${email}` : email,
      }),
    async verify(_, { id }, cell) {
      const closed = cell.outcome === 'allowed' || cell.row === 'closed';
      expect(await isClosed(cell, id)).toBe(closed);
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
