import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { checkAccounts } from '#features/payments/commands/check-accounts.ts';
import { dropMessage } from '#features/payments/commands/drop-message.ts';
import { processMessages } from '#features/payments/commands/process-messages.ts';
import { receiveMessage } from '#features/payments/commands/receive-message.ts';
import { receivePayoutMessage } from '#features/payments/commands/receive-payout-message.ts';
import { reconcileSales } from '#features/payments/commands/reconcile-sales.ts';
import { replayMessage } from '#features/payments/commands/replay-message.ts';
import { sendRefund } from '#features/payments/commands/send-refund.ts';
import { sweepSales } from '#features/payments/commands/sweep-sales.ts';
import { applyCheckout, syncPayment } from '#features/payments/commands/sync-payment.ts';
import { providerMessages } from '#features/payments/reads.ts';
import { PaymentError, type PaymentMethod } from '#gateways/payments/port.ts';
import { performSandboxAction } from '#gateways/payments/sandbox/checkout-page.ts';
import { sandboxWebhookSecret } from '#gateways/payments/sandbox/rules.ts';
import { signWebhook } from '#gateways/payments/sandbox/webhook.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { MINUTE } from '#platform/durations.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { type Cell, type Cells, operation } from '../../support/operation.ts';
import { payoutsFor } from '../../support/payouts.ts';
import { newSale, paymentsFor, saleState, sharedSale } from '../../support/sales.ts';
import type { Scenario } from '../../support/scenario.ts';
import { HEAD, sameForAll, systemOnlyRows } from '../../support/table-rows.ts';

/** A payment we have not noticed yet: checking with the provider would move the sale into escrow. */
const undetectedPayment = (scenario: Scenario) => paidCheckout(scenario, 'card');

async function refundOf(scenario: Scenario): Promise<string> {
  const { saleId } = await sharedSale(scenario, 'cancelled');
  const refund = scenario.db.q().selectFrom('refunds').select('id').where('sale_id', '=', saleId);
  return (await refund.executeTakeFirstOrThrow()).id;
}

/** A checkout that is paid at its provider, shared by all messages of a payment method. */
const paidCheckouts = new WeakMap<Scenario, Partial<Record<PaymentMethod, ReturnType<typeof newSale>>>>();
function paidCheckout(scenario: Scenario, method: PaymentMethod) {
  const known = paidCheckouts.get(scenario) ?? {};
  paidCheckouts.set(scenario, known);
  known[method] ??= newSale(scenario, 'open', { method }).then(async (made) => {
    expect(await performSandboxAction(scenario.db, made.ref ?? '', 'pay', new Date())).toMatchObject({
      ok: true,
    });
    return made;
  });
  return known[method];
}

/** The provider's message that a checkout is paid, with a new id, altered as the row says. */
async function webhookMessage({ scenario, row }: Cell) {
  const [provider, variant] = row.split(', ');
  const method: PaymentMethod = provider === 'chain' ? 'crypto' : 'card';
  const sale = await paidCheckout(scenario, method);
  const first = await scenario.db
    .q()
    .selectFrom('sandbox_deliveries')
    .selectAll()
    .where('ref', '=', sale.ref)
    .orderBy('id', 'desc')
    .limit(1)
    .$narrowType<{ method: 'card' | 'crypto' }>()
    .executeTakeFirstOrThrow();
  const event_id = `evt_${randomUUID()}`;
  const delivery = { ...first, event_id, payload: first.payload.replaceAll(first.event_id, event_id) };
  const other = method === 'card' ? 'crypto' : 'card';
  const secret =
    variant === 'another’s secret'
      ? 'whsec_of_somebody_else'
      : sandboxWebhookSecret(testConfig.secret, variant === 'the other method’s secret' ? other : method);
  const minutes = variant === 'six minutes old' ? -6 : variant === 'six minutes ahead' ? 6 : 0;
  // The signed payload contains text typed by the payer.
  if (variant === 'with odd text')
    delivery.payload = delivery.payload.replace('{', '{"odd":"a\\u0000b\\ud83d",');
  const message = signWebhook(delivery, secret, new Date(Date.now() + minutes * MINUTE));
  const name = method === 'card' ? 'stripe-signature' : 'x-hook0-signature';
  if (variant === 'unsigned') message.headers.delete(name);
  if (variant === 'empty signature') message.headers.set(name, '');
  if (variant === 'body changed') message.rawBody = Buffer.from(delivery.payload.replace(/\d{6,}/, '1'));
  return { sale, provider: `sandbox-${method}` as const, eventId: delivery.event_id, ...message };
}

const badSignatures = [
  'unsigned',
  'empty signature',
  'another’s secret',
  'the other method’s secret',
  'six minutes old',
  'six minutes ahead',
  'body changed',
];

/** An operation only the system may run. */
const systemOnly = <Thing>(
  prepare: (scenario: Scenario) => Promise<Thing>,
  act: (ctx: CtxWith<'payments'>, thing: Thing) => Promise<unknown>,
) =>
  operation({
    cells: systemOnlyRows('with work to do'),
    prepare: ({ scenario }) => prepare(scenario),
    act: (ctx, thing, { scenario }) => act({ ...ctx, payments: paymentsFor(scenario) }, thing),
  });

/** A message that could not be processed; its id. */
const deadMessage = async ({ scenario }: { scenario: Scenario }): Promise<number> => {
  const { id } = await scenario.db
    .q()
    .insertInto('provider_events')
    .values({
      provider: 'stripe',
      event_id: randomUUID(),
      event_type: 'charge.updated',
      payload: '{}',
      status: 'dead',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};
const forAdministrators = `
  ${HEAD}
  failed  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
`;

export const cells: Cells = {
  'reads#providerMessages': operation({
    cells: forAdministrators,
    prepare: deadMessage,
    act: (ctx) => providerMessages(ctx, { q: '', status: null, before: null }),
    mayChange: () => false,
  }),
  'commands/replay-message#replayMessage': operation({
    cells: forAdministrators,
    prepare: deadMessage,
    act: (ctx, id) => replayMessage(ctx, { id }),
  }),
  'commands/drop-message#dropMessage': operation({
    cells: forAdministrators,
    prepare: deadMessage,
    act: (ctx, id) => dropMessage(ctx, { id, reason: 'Of another shop' }),
  }),

  'commands/check-accounts#checkAccounts': operation({
    cells: systemOnlyRows('the accounts'),
    act: (ctx, _, { scenario }) => checkAccounts({ ...ctx, payments: paymentsFor(scenario) }),
  }),

  // The signature decides here, too.
  'commands/receive-payout-message#receivePayoutMessage': operation({
    cells: sameForAll(['unsigned', 'bad_signature']),
    act: async (ctx, _, { scenario }) => {
      try {
        await receivePayoutMessage(
          { ...ctx, payouts: payoutsFor(scenario) },
          { provider: 'sandbox-connect', rawBody: Buffer.from('{}'), headers: new Headers() },
        );
        return { ok: true };
      } catch (error) {
        if (error instanceof PaymentError) return { ok: false, reason: error.code };
        throw error;
      }
    },
  }),

  // The signature decides, not the session (R3). A message is stored once, and its content is not trusted.
  'commands/receive-message#receiveMessage': operation({
    unaudited: 'a message changes nothing by itself; what it makes us ask is audited',
    cells: sameForAll(
      ...['card', 'chain'].flatMap((method): [string, string][] => [
        [`${method}, signed`, 'allowed'],
        [`${method}, signed and twice`, 'again'],
        [`${method}, with odd text`, 'allowed'],
        ...badSignatures.map((variant): [string, string] => [`${method}, ${variant}`, 'bad_signature']),
      ]),
    ),
    async prepare(cell) {
      const message = await webhookMessage(cell);
      const { scenario, row } = cell;
      if (row.endsWith('twice'))
        await receiveMessage({ ...scenario.ctx('anonymous'), payments: paymentsFor(scenario) }, message);
      return message;
    },
    async act(ctx, message, { scenario }) {
      try {
        return {
          ok: true,
          isNew: await receiveMessage({ ...ctx, payments: paymentsFor(scenario) }, message),
        };
      } catch (error) {
        if (error instanceof PaymentError) return { ok: false, isNew: false, reason: error.code };
        throw error;
      }
    },
    outcomeOf: ({ ok, isNew, reason }) => (ok ? (isNew ? 'allowed' : 'again') : String(reason)),
    mayChange: (outcome) => outcome === 'allowed',
    async verify(_, { sale, eventId }, { scenario, outcome }) {
      const kept = await scenario.db
        .q()
        .selectFrom('provider_events')
        .select(['status', 'ref'])
        .where('event_id', '=', eventId)
        .execute();
      expect(kept).toEqual(outcome === 'bad_signature' ? [] : [{ status: 'received', ref: sale.ref }]);
      expect(await saleState(scenario, sale)).toBe('pending/pending/ Active');
    },
  }),

  // For timers, queues and the command line; every user is refused.
  'commands/process-messages#processMessages': systemOnly(undetectedPayment, (ctx) => processMessages(ctx)),
  'commands/sweep-sales#sweepSales': systemOnly(undetectedPayment, (ctx) => sweepSales(ctx)),
  'commands/reconcile-sales#reconcileSales': systemOnly(undetectedPayment, (ctx) => reconcileSales(ctx)),
  'commands/sync-payment#syncPayment': systemOnly(undetectedPayment, (ctx, { saleId }) =>
    syncPayment(ctx, { saleId }),
  ),
  'commands/sync-payment#applyCheckout': systemOnly(undetectedPayment, async (ctx, { saleId, ref }) =>
    applyCheckout(ctx, { saleId, checkout: await ctx.payments.forMethod('card').getCheckout(ref ?? '') }),
  ),
  'commands/send-refund#sendRefund': systemOnly(refundOf, (ctx, refundId) => sendRefund(ctx, { refundId })),
};
