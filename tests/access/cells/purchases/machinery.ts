import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { processMessages } from '#features/purchases/commands/process-messages.ts';
import { receiveMessage } from '#features/purchases/commands/receive-message.ts';
import { sendRefund } from '#features/purchases/commands/send-refund.ts';
import { reconcileSales, sweepSales } from '#features/purchases/commands/sweep-sales.ts';
import { applyCheckout, syncPayment } from '#features/purchases/commands/sync-payment.ts';
import { PaymentError, type Rail } from '#gateways/payments/port.ts';
import { signedMessage } from '#gateways/payments/sandbox/messages.ts';
import { actOnSandbox } from '#gateways/payments/sandbox/page.ts';
import { sandboxSecret } from '#gateways/payments/sandbox/rules.ts';
import { testConfig } from '#tests/support/context.ts';
import { all } from '../../address.ts';
import { type Cell, type Cells, operation } from '../../operation.ts';
import { closed } from '../../sale-rows.ts';
import { lastingSale, newSale, paymentsOn, standing } from '../../sales.ts';
import type { Stage } from '../../stage.ts';

const MINUTE = 60_000;

/** Whoever asks the provider about this sale makes it a sale in escrow. */
const unseenPayment = (stage: Stage) => paidSale(stage, 'card');

async function refundOf(stage: Stage): Promise<string> {
  const { saleId } = await lastingSale(stage, 'cancelled');
  const refund = stage.db.q().selectFrom('refunds').select('id').where('sale_id', '=', saleId);
  return (await refund.executeTakeFirstOrThrow()).id;
}

/** A checkout that its provider knows as paid, for all messages of a rail. */
const paidThere = new WeakMap<Stage, Partial<Record<Rail, ReturnType<typeof newSale>>>>();
function paidSale(stage: Stage, rail: Rail) {
  const known = paidThere.get(stage) ?? {};
  paidThere.set(stage, known);
  known[rail] ??= newSale(stage, 'open', { rail }).then(async (made) => {
    expect(await actOnSandbox(stage.db, made.ref ?? '', 'pay', new Date())).toMatchObject({ ok: true });
    return made;
  });
  return known[rail];
}

/** The provider's message that a checkout is paid, each with an id of its own, as a row has it arrive. */
async function messageFor({ stage, row }: Cell) {
  const [provider, how] = row.split(', ');
  const rail: Rail = provider === 'chain' ? 'crypto' : 'card';
  const sale = await paidSale(stage, rail);
  const first = await stage.db
    .q()
    .selectFrom('sandbox_deliveries')
    .selectAll()
    .where('ref', '=', sale.ref)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const event_id = `evt_${randomUUID()}`;
  const said = { ...first, event_id, payload: first.payload.replaceAll(first.event_id, event_id) };
  const other = rail === 'card' ? 'crypto' : 'card';
  const secret =
    how === 'another’s secret'
      ? 'whsec_of_somebody_else'
      : sandboxSecret(testConfig.secret, how === 'the other rail’s secret' ? other : rail);
  const minutes = how === 'six minutes old' ? -6 : how === 'six minutes ahead' ? 6 : 0;
  // What a payer has typed is part of what the provider signs.
  if (how === 'with odd text') said.payload = said.payload.replace('{', '{"odd":"a\\u0000b\\ud83d",');
  const message = signedMessage(said, secret, new Date(Date.now() + minutes * MINUTE));
  const name = rail === 'card' ? 'stripe-signature' : 'x-hook0-signature';
  if (how === 'unsigned') message.headers.delete(name);
  if (how === 'empty signature') message.headers.set(name, '');
  if (how === 'body changed') message.rawBody = Buffer.from(said.payload.replace(/\d{6,}/, '1'));
  return { sale, rail, eventId: said.event_id, ...message };
}

const ways = [
  'unsigned',
  'empty signature',
  'another’s secret',
  'the other rail’s secret',
  'six minutes old',
  'six minutes ahead',
  'body changed',
];

/** Does nothing that a cell could see, unless the door is open. */
const forJobs = <Thing>(
  prepare: (stage: Stage) => Promise<Thing>,
  act: (ctx: Parameters<typeof sweepSales>[0], thing: Thing, stage: Stage) => Promise<unknown>,
) =>
  operation({
    cells: closed('with work to do'),
    prepare: ({ stage }) => prepare(stage),
    act: (ctx, thing, { stage }) => act(ctx, thing, stage),
  });

export const cells: Cells = {
  // Who signs may speak; who is signed in changes nothing (R3). It is stored once and nothing that it says is believed.
  'commands/receive-message#receiveMessage': operation({
    cells: all(
      ...['card', 'chain'].flatMap((rail): [string, string][] => [
        [`${rail}, signed`, 'allowed'],
        [`${rail}, signed and twice`, 'again'],
        [`${rail}, with odd text`, 'allowed'],
        ...ways.map((how): [string, string] => [`${rail}, ${how}`, 'bad_signature']),
      ]),
    ),
    async prepare(cell) {
      const message = await messageFor(cell);
      const { stage, row } = cell;
      if (row.endsWith('twice')) await receiveMessage(stage.ctx('anonymous'), message, paymentsOn(stage));
      return message;
    },
    async act(ctx, message, { stage }) {
      try {
        return { ok: true, isNew: await receiveMessage(ctx, message, paymentsOn(stage)) };
      } catch (error) {
        if (error instanceof PaymentError) return { ok: false, isNew: false, reason: error.code };
        throw error;
      }
    },
    says: ({ ok, isNew, reason }) => (ok ? (isNew ? 'allowed' : 'again') : String(reason)),
    changes: (word) => word === 'allowed',
    async holds(_, { sale, eventId }, { stage, word }) {
      const kept = await stage.db
        .q()
        .selectFrom('provider_events')
        .select(['status', 'ref'])
        .where('event_id', '=', eventId)
        .execute();
      expect(kept).toEqual(word === 'bad_signature' ? [] : [{ status: 'received', ref: sale.ref }]);
      expect(await standing(stage, sale)).toBe('pending/pending/ Active');
    },
  }),

  // Timers, queues and the command line: a person who asks is refused, whoever it is.
  'commands/process-messages#processMessages': forJobs(unseenPayment, (ctx, _, stage) =>
    processMessages(ctx, paymentsOn(stage)),
  ),
  'commands/sweep-sales#sweepSales': forJobs(unseenPayment, (ctx, _, stage) =>
    sweepSales(ctx, paymentsOn(stage)),
  ),
  'commands/sweep-sales#reconcileSales': forJobs(unseenPayment, (ctx, _, stage) =>
    reconcileSales(ctx, paymentsOn(stage)),
  ),
  'commands/sync-payment#syncPayment': forJobs(unseenPayment, (ctx, { saleId }, stage) =>
    syncPayment(ctx, saleId, paymentsOn(stage)),
  ),
  'commands/sync-payment#applyCheckout': forJobs(unseenPayment, (ctx, { saleId }) =>
    applyCheckout(ctx, saleId, null),
  ),
  'commands/send-refund#sendRefund': forJobs(refundOf, (ctx, refundId, stage) =>
    sendRefund(ctx, refundId, paymentsOn(stage)),
  ),
};
