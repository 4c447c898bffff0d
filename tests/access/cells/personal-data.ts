import { expect } from 'vitest';
import { closeAccount } from '#features/personal-data/commands/close-account.ts';
import { ownData } from '#features/personal-data/reads.ts';
import { PASSWORD } from '#tests/support/accounts.ts';
import { type Cell, type Cells, operation } from '../operation.ts';
import { givePassword, personWithPassword } from '../people-with-passwords.ts';
import { lastingSale, unhurried } from '../sales.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const isClosed = async ({ stage }: Cell, id: string) =>
  (await stage.db.q().selectFrom('users').select('closed_at').where('id', '=', id).executeTakeFirstOrThrow())
    .closed_at !== null;

export const cells: Cells = {
  // Each the own file alone, in which nobody else is named.
  'reads#ownData': operation({
    cells: `
      ${HEAD}
      oneself  Unauthenticated  own  own  own  own  own  own
    `,
    prepare: ({ stage }) =>
      stage.listing('A’s Active').then((id) =>
        stage.db
          .q()
          .insertInto('property_inquiries')
          .values({
            property_id: id,
            user_id: stage.cast.buyerA.id,
            message: `Between us: ${stage.cast.buyerA.email}`,
          })
          .execute(),
      ),
    async act(ctx) {
      let text = '';
      for await (const piece of ownData(ctx)) text += piece;
      return text;
    },
    says: (text, _, { stage, actor }) =>
      JSON.parse(text).account.id === stage.person(actor).id ? 'own' : 'wrong',
    changes: () => false,
    holds(text, _, { stage, actor }) {
      if (text === undefined) return;
      const { anonymous: __, suspendedSeller, ...cast } = stage.cast;
      for (const [name, person] of Object.entries({ ...cast, suspended: suspendedSeller }))
        if (name !== actor) expect(text, name).not.toContain(person.email);
    },
  }),

  // Buyers alone, with the own password, and not while a purchase is under way. Played with people made for it.
  'commands/close-account#closeAccount': operation({
    cells: `
      ${HEAD}
      right password   Unauthenticated  allowed    allowed    Forbidden  Forbidden  Forbidden  Forbidden
      wrong password   Unauthenticated  password   password   Forbidden  Forbidden  Forbidden  Forbidden
      without one      Unauthenticated  password   password   Forbidden  Forbidden  Forbidden  Forbidden
      a purchase open  Unauthenticated  live_sale  live_sale  Forbidden  Forbidden  Forbidden  Forbidden
    `,
    async prepare({ stage, actor, row }) {
      if (actor === 'anonymous') return null;
      const own = stage.person(actor);
      if (own.role !== 'buyer') return own;
      if (row !== 'a purchase open') return personWithPassword(stage, 'buyer');
      await lastingSale(stage, 'in escrow', actor === 'buyerB' ? { buyer: actor, seller: 'suspended' } : {});
      await givePassword(stage, own);
      return own;
    },
    act: (ctx, person, { row }) =>
      closeAccount(unhurried(person ? { ...ctx, actor: person } : ctx), {
        password: { 'wrong password': 'Not 1 of them', 'without one': '' }[row] ?? PASSWORD,
      }),
    async holds(_, person, cell) {
      if (person) expect(await isClosed(cell, person.id)).toBe(cell.word === 'allowed');
    },
  }),
};
