import { configuredServices } from '#features/payment-settings/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { type Cells, operation } from '../support/operation.ts';
import { HEAD } from '../support/table-rows.ts';

/** Whichever provider there is. */
const withPayments = (ctx: Ctx) =>
  ({ ...ctx, payments: { forMethod: () => ({ livemode: false }) } }) as unknown as Parameters<
    typeof configuredServices
  >[0];

export const cells: Cells = {
  'reads#configuredServices': operation({
    cells: `
      ${HEAD}
      any  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    act: async (ctx) => configuredServices(withPayments(ctx)),
    mayChange: () => false,
  }),
};
