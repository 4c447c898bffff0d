import { expect } from 'vitest';
import { sellerSales, sellerSalesFile, sellerTotals } from '#features/sales/reads.ts';
import { type Cell, type Cells, operation } from '../../support/operation.ts';
import { sharedSale } from '../../support/sales.ts';

const prepare = async ({ scenario, row }: Cell) => {
  const of = row.startsWith('of the suspended') ? 'suspended' : 'sellerA';
  return sharedSale(scenario, row.replace(/^of the suspended, /, ''), { seller: of });
};

const rows = `
                                anonymous        buyerA     buyerB     sellerA  sellerB  suspended  admin
      in escrow                 Unauthenticated  Forbidden  Forbidden  own      none     none       Forbidden
      released                  Unauthenticated  Forbidden  Forbidden  own      none     none       Forbidden
      cancelled                 Unauthenticated  Forbidden  Forbidden  own      none     none       Forbidden
      of the suspended, released  Unauthenticated  Forbidden  Forbidden  none   none     own        Forbidden
`;

/** Asserts that every returned sale belongs to the requesting seller. */
async function expectOwnSales(ids: readonly string[], { scenario, actor }: Cell): Promise<void> {
  if (ids.length === 0) return;
  const sales = await scenario.db
    .q()
    .selectFrom('property_sales')
    .select('agent_id')
    .where('id', 'in', ids)
    .execute();
  expect(sales).toHaveLength(ids.length);
  for (const { agent_id } of sales) expect(agent_id).toBe(scenario.person(actor).agentId);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gm;

export const cells: Cells = {
  // One's own sales; buyers and administrators have other pages.
  'reads#sellerSales': operation({
    cells: rows,
    prepare,
    act: (ctx) => sellerSales(ctx),
    outcomeOf: (found, { saleId }) => (found.rows.some(({ id }) => id === saleId) ? 'own' : 'none'),
    mayChange: () => false,
    verify: (found, _, cell) =>
      expectOwnSales(
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
    outcomeOf: (text, { saleId }) => (text.includes(saleId) ? 'own' : 'none'),
    mayChange: () => false,
    verify: (text, _, cell) => expectOwnSales(text?.match(UUID) ?? [], cell),
  }),

  // Totals of one's own sales only.
  'reads#sellerTotals': operation({
    cells: `
                                anonymous        buyerA     buyerB     sellerA  sellerB  suspended  admin
      released                  Unauthenticated  Forbidden  Forbidden  own      own      own        Forbidden
      of the suspended, released  Unauthenticated  Forbidden  Forbidden  own    own      own        Forbidden
    `,
    prepare,
    act: (ctx) => sellerTotals(ctx),
    async outcomeOf({ total }, _, { scenario, actor }) {
      const own = await scenario.db
        .q()
        .selectFrom('property_sales')
        .select((of) => [
          of.fn.countAll<number>().as('count'),
          of.fn.sum<number>('agent_commission_cents').as('cents'),
        ])
        .where('agent_id', '=', scenario.person(actor).agentId)
        .where('payout_status', 'is not', null)
        .executeTakeFirstOrThrow();
      const same = total.count === Number(own.count) && total.cents === Number(own.cents ?? 0);
      return same ? 'own' : 'wrong';
    },
    mayChange: () => false,
  }),
};
