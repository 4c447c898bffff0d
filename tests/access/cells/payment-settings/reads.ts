import {
  configuredServices,
  payoutInformation,
  stripeConnection,
  stripeInTestMode,
} from '#features/payment-settings/reads.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { prepareStripe, TEST_KEY, withStripe } from '../../support/stripe-setup.ts';
import { HEAD } from '../../support/table-rows.ts';

const forAdministrators = (row: string) =>
  `${HEAD}\n${row}  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed`;

export const cells: Cells = {
  'reads#configuredServices': operation({
    cells: forAdministrators('any'),
    prepare: ({ scenario }) => prepareStripe(scenario),
    act: async (ctx, stripe) => configuredServices(withStripe(ctx, stripe)),
    mayChange: () => false,
  }),

  'reads#stripeConnection': operation({
    cells: forAdministrators('keys'),
    prepare: ({ scenario }) => prepareStripe(scenario, { testSecret: TEST_KEY }),
    act: (ctx, stripe) => stripeConnection(withStripe(ctx, stripe)),
    mayChange: () => false,
  }),

  'reads#payoutInformation': operation({
    cells: forAdministrators('keys'),
    prepare: ({ scenario }) => prepareStripe(scenario, { testSecret: TEST_KEY }),
    act: (ctx, stripe) => payoutInformation(withStripe(ctx, stripe)),
    mayChange: () => false,
  }),

  'reads#stripeInTestMode': operation({
    cells: forAdministrators('any'),
    prepare: ({ scenario }) => prepareStripe(scenario),
    act: async (ctx, stripe) => stripeInTestMode(withStripe(ctx, stripe)),
    mayChange: () => false,
  }),
};
