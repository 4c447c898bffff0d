import { takeBackDelivery } from '#features/sales/commands/take-back-delivery.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { newSale } from '../../support/sales.ts';
import { systemOnlyRows } from '../../support/table-rows.ts';

export const cells: Cells = {
  'commands/take-back-delivery#takeBackDelivery': operation({
    cells: systemOnlyRows('with documents'),
    prepare: ({ scenario }) => newSale(scenario, 'with documents'),
    act: (ctx, { saleId }) => takeBackDelivery(ctx, { saleId, name: 'Deed.pdf' }),
  }),
};
