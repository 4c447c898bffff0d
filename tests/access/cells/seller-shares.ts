import { followShare } from '#features/seller-shares/commands/follow-share.ts';
import { type Cells, operation } from '../support/operation.ts';
import { payableSale } from '../support/payouts.ts';
import { systemOnlyRows } from '../support/table-rows.ts';

export const cells: Cells = {
  'commands/follow-share#followShare': operation({
    cells: systemOnlyRows('a sale'),
    prepare: ({ scenario }) => payableSale(scenario),
    act: async (ctx, saleId, { scenario }) => {
      const sale = await scenario.db
        .q()
        .selectFrom('property_sales')
        .selectAll()
        .where('id', '=', saleId)
        .executeTakeFirstOrThrow();
      await ctx.db.tx(() => followShare(ctx, sale));
    },
    mayChange: () => false,
  }),
};
