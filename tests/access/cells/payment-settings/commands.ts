import { checkStripe } from '#features/payment-settings/commands/check-stripe.ts';
import {
  configureWebhooks,
  rotateWebhookSecret,
} from '#features/payment-settings/commands/configure-webhooks.ts';
import { connectStripe } from '#features/payment-settings/commands/connect-stripe.ts';
import { disconnectStripe } from '#features/payment-settings/commands/disconnect-stripe.ts';
import { removeFormerKeys } from '#features/payment-settings/commands/remove-former-keys.ts';
import { resealSecrets } from '#features/payment-settings/commands/reseal-secrets.ts';
import { saveStripeKeys } from '#features/payment-settings/commands/save-stripe-keys.ts';
import { setStripeMode } from '#features/payment-settings/commands/set-stripe-mode.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { LIVE_KEY, prepareStripe, TEST_KEY, withStripe } from '../../support/stripe-setup.ts';
import { HEAD, systemOnlyRows } from '../../support/table-rows.ts';

const proven = (row: string, outcome = 'allowed') =>
  `${row}  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  ${outcome}  ProofRequired`;

/** In the rows 'over another change' somebody else has been faster. */
const seenIn = (row: string, { seen }: { seen: number }) => (row === 'over another change' ? seen - 1 : seen);

export const cells: Cells = {
  'commands/save-stripe-keys#saveStripeKeys': operation({
    cells: `
      ${HEAD}  unproven
      ${proven('keys')}
      ${proven('keys in the wrong box', 'invalid')}
      ${proven('keys that Stripe refuses', 'invalid')}
      ${proven('over another change', 'newer')}
    `,
    prepare: ({ scenario }) => prepareStripe(scenario),
    act: (ctx, stripe, { row }) =>
      saveStripeKeys(withStripe(ctx, stripe), {
        testPublishable: 'pk_test_cell',
        testSecret:
          { 'keys in the wrong box': LIVE_KEY, 'keys that Stripe refuses': 'sk_test_other' }[row] ?? TEST_KEY,
        livePublishable: '',
        liveSecret: '',
        seen: seenIn(row, stripe),
      }),
  }),

  'commands/connect-stripe#connectStripe': operation({
    cells: `
      ${HEAD}  unproven
      ${proven('no keys')}
      ${proven('over another change', 'newer')}
    `,
    async prepare({ scenario }) {
      const stripe = await prepareStripe(scenario);
      await disconnectStripe(withStripe(scenario.ctx('admin'), stripe), { seen: stripe.seen });
      return { ...stripe, seen: stripe.seen + 1 };
    },
    act: (ctx, stripe, { row }) => connectStripe(withStripe(ctx, stripe), { seen: seenIn(row, stripe) }),
  }),

  'commands/check-stripe#checkStripe': operation({
    cells: `
      ${HEAD}  unproven
      ${proven('keys')}
    `,
    prepare: ({ scenario }) => prepareStripe(scenario, { testSecret: TEST_KEY }),
    act: (ctx, stripe) => checkStripe(withStripe(ctx, stripe)),
    unaudited: 'it records what Stripe says and changes nothing',
  }),

  'commands/disconnect-stripe#disconnectStripe': operation({
    cells: `
      ${HEAD}  unproven
      ${proven('keys')}
      ${proven('no keys')}
      ${proven('over another change', 'newer')}
    `,
    prepare: ({ scenario, row }) => prepareStripe(scenario, row === 'keys' ? { testSecret: TEST_KEY } : {}),
    act: (ctx, stripe, { row }) => disconnectStripe(withStripe(ctx, stripe), { seen: seenIn(row, stripe) }),
  }),

  'commands/set-stripe-mode#setStripeMode': operation({
    cells: `
      ${HEAD}  unproven
      ${proven('to live')}
      ${proven('to live without a webhook', 'no_webhook')}
      ${proven('to live without keys', 'no_keys')}
      ${proven('over another change', 'newer')}
    `,
    async prepare({ scenario, row }) {
      const keys = row === 'to live without keys' ? { testSecret: TEST_KEY } : { liveSecret: LIVE_KEY };
      const stripe = await prepareStripe(scenario, keys);
      if (row !== 'to live without a webhook')
        await configureWebhooks(withStripe(scenario.ctx('admin'), stripe));
      return stripe;
    },
    act: (ctx, stripe, { row }) =>
      setStripeMode(withStripe(ctx, stripe), { mode: 'live', seen: seenIn(row, stripe) }),
  }),

  'commands/configure-webhooks#configureWebhooks': operation({
    cells: `
      ${HEAD}  unproven
      ${proven('keys')}
      ${proven('no keys', 'no_keys')}
    `,
    prepare: ({ scenario, row }) => prepareStripe(scenario, row === 'keys' ? { testSecret: TEST_KEY } : {}),
    act: (ctx, stripe) => configureWebhooks(withStripe(ctx, stripe)),
  }),

  'commands/configure-webhooks#rotateWebhookSecret': operation({
    cells: `
      ${HEAD}  unproven
      ${proven('a webhook')}
      ${proven('no webhook', 'no_keys')}
    `,
    async prepare({ scenario, row }) {
      const stripe = await prepareStripe(scenario, { testSecret: TEST_KEY });
      if (row === 'a webhook') await configureWebhooks(withStripe(scenario.ctx('admin'), stripe));
      return stripe;
    },
    act: (ctx, stripe) => rotateWebhookSecret(withStripe(ctx, stripe), { mode: 'test' }),
  }),

  'commands/remove-former-keys#removeFormerKeys': operation({
    cells: systemOnlyRows('former keys'),
    prepare: ({ scenario }) => prepareStripe(scenario, { testSecret: TEST_KEY }),
    act: (ctx, stripe) => removeFormerKeys(withStripe(ctx, stripe)),
  }),

  'commands/reseal-secrets#resealSecrets': operation({
    cells: systemOnlyRows('keys'),
    prepare: ({ scenario }) => prepareStripe(scenario, { testSecret: TEST_KEY }),
    act: (ctx) => resealSecrets(ctx),
  }),
};
