import { expect } from 'vitest';
import { sellerSales, sellerSalesFile, sellerTotals } from '#features/purchases/reads.ts';
import { type Cell, type Cells, operation } from '../../operation.ts';
import { lastingSale } from '../../sales.ts';

const prepare = async ({ stage, row }: Cell) => {
  const of = row.startsWith('of the suspended') ? 'suspended' : 'sellerA';
  return lastingSale(stage, row.replace(/^of the suspended, /, ''), { seller: of });
};

const rows = `
                                anonymous        buyerA     buyerB     sellerA  sellerB  suspended  admin
      in escrow                 Unauthenticated  Forbidden  Forbidden  own      none     none       Forbidden
      released                  Unauthenticated  Forbidden  Forbidden  own      none     none       Forbidden
      cancelled                 Unauthenticated  Forbidden  Forbidden  own      none     none       Forbidden
      of the suspended, released  Unauthenticated  Forbidden  Forbidden  none   none     own        Forbidden
`;

/** Every sale that was told of belongs to the asking seller. */
async function holdsOwn(ids: readonly string[], { stage, actor }: Cell): Promise<void> {
  if (ids.length === 0) return;
  const sales = await stage.db
    .q()
    .selectFrom('property_sales')
    .select('agent_id')
    .where('id', 'in', ids)
    .execute();
  expect(sales).toHaveLength(ids.length);
  for (const { agent_id } of sales) expect(agent_id).toBe(stage.person(actor).agentId);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gm;

export const cells: Cells = {
  // What one sold oneself; who bought it sees it elsewhere, and administrators in the back office.
  'reads#sellerSales': operation({
    cells: rows,
    prepare,
    act: (ctx) => sellerSales(ctx),
    says: (found, { saleId }) => (found.rows.some(({ id }) => id === saleId) ? 'own' : 'none'),
    changes: () => false,
    holds: (found, _, cell) =>
      holdsOwn(
        (found?.rows ?? []).map(({ id }) => id),
        cell,
      ),
  }),

  'reads#sellerSalesFile': operation({
    cells: rows,
    prepare,
    async act(ctx) {
      let text = '';
      for await (const piece of sellerSalesFile(ctx)) text += piece;
      return text;
    },
    says: (text, { saleId }) => (text.includes(saleId) ? 'own' : 'none'),
    changes: () => false,
    holds: (text, _, cell) => holdsOwn(text?.match(UUID) ?? [], cell),
  }),

  // The sum of the own sales, and of nobody else's.
  'reads#sellerTotals': operation({
    cells: `
                                anonymous        buyerA     buyerB     sellerA  sellerB  suspended  admin
      released                  Unauthenticated  Forbidden  Forbidden  own      own      own        Forbidden
      of the suspended, released  Unauthenticated  Forbidden  Forbidden  own    own      own        Forbidden
    `,
    prepare,
    act: (ctx) => sellerTotals(ctx),
    async says({ total }, _, { stage, actor }) {
      const own = await stage.db
        .q()
        .selectFrom('property_sales')
        .select((of) => [
          of.fn.countAll<number>().as('count'),
          of.fn.sum<number>('agent_commission_cents').as('cents'),
        ])
        .where('agent_id', '=', stage.person(actor).agentId)
        .where('payout_status', 'is not', null)
        .executeTakeFirstOrThrow();
      const same = total.count === Number(own.count) && total.cents === Number(own.cents ?? 0);
      return same ? 'own' : 'wrong';
    },
    changes: () => false,
  }),
};
