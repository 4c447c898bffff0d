import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { submitEvidence } from '#features/disputes/commands/submit-evidence.ts';
import { processMessages } from '#features/payments/commands/process-messages.ts';
import { receiveMessage } from '#features/payments/commands/receive-message.ts';
import { reconcileSales } from '#features/payments/commands/reconcile-sales.ts';
import { sendRefund } from '#features/payments/commands/send-refund.ts';
import { sweepSales } from '#features/payments/commands/sweep-sales.ts';
import { messagesJob } from '#features/payments/message-job.ts';
import { sendPayoutJob } from '#features/payouts/payout-jobs.ts';
import { refundJob } from '#features/sales/refund-request.ts';
import { takeBackJob } from '#features/seller-shares/take-back-job.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { Payments } from '#gateways/payments/port.ts';
import { processDue } from '#gateways/payments/sandbox/process-due.ts';
import { sandboxWebhookSecret } from '#gateways/payments/sandbox/rules.ts';
import { deliverWebhooksJob } from '#gateways/payments/sandbox/transitions.ts';
import { signWebhook } from '#gateways/payments/sandbox/webhook.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { ensureQueue } from '#platform/jobs/enqueue.ts';
import {
  createRewindableDatabase,
  type RewindableDatabase,
} from '#tests/support/database/rewindable-database.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';

export interface Scenario {
  rewinding: RewindableDatabase;
  saleScenario: SaleScenario;
}

/** Creates users, fees and queues in a database that can be rewound. */
export async function createScenario(db: Database): Promise<Scenario> {
  const rewinding = await createRewindableDatabase(db);
  await chargeFees(rewinding.db);
  const saleScenario = await createSaleScenario(rewinding.db);
  // Created up front: queues created later would be lost on rewind.
  await rewinding.db.tx(async () => {
    for (const job of [deliverWebhooksJob, messagesJob, refundJob, sendPayoutJob, takeBackJob])
      await ensureQueue(rewinding.db, job);
  });
  await rewinding.mark();
  return { rewinding, saleScenario };
}

/** A webhook message sent by a provider. */
export interface SentMessage {
  event_id: string;
  method: 'card' | 'crypto';
  type: string;
  payload: string;
}

/** All messages about payments sent by the providers, oldest first. */
export const sentMessages = (db: Database): Promise<SentMessage[]> =>
  db
    .q()
    .selectFrom('sandbox_deliveries')
    .select(['event_id', 'method', 'type', 'payload'])
    .where('method', 'in', ['card', 'crypto'])
    .$narrowType<{ method: 'card' | 'crypto' }>()
    .orderBy('id')
    .execute();

/** Delivers a message to our webhook, freshly signed as providers do. @returns false for a duplicate */
export async function deliver(
  saleScenario: SaleScenario,
  message: SentMessage,
  { ctx = saleScenario.system, payments = saleScenario.payments }: { ctx?: Ctx; payments?: Payments } = {},
): Promise<boolean> {
  const secret = sandboxWebhookSecret(testConfig.secret, message.method);
  const signed = signWebhook(message, secret, saleScenario.clock.now());
  return receiveMessage({ ...ctx, payments }, { provider: `sandbox-${message.method}`, ...signed });
}

/** Documents of these sales are rows alone. */
const emptyStore = createFolderStore({ folder: join(tmpdir(), 'acre-no-files'), secret: testConfig.secret });

/** Runs the background jobs: processes pending messages and sends pending refunds. */
export async function runJobs(ctx: Ctx, payments: Payments): Promise<void> {
  await processMessages({ ...ctx, payments });
  const refunds = await ctx.db
    .q()
    .selectFrom('refunds')
    .select('id')
    .where('status', '=', 'pending')
    .orderBy('id')
    .execute();
  for (const { id } of refunds) await sendRefund({ ...ctx, payments }, { refundId: id });
  const evidence = await ctx.db
    .q()
    .selectFrom('dispute_evidence')
    .select('id')
    .where('state', '=', 'pending')
    .orderBy('id')
    .execute();
  for (const { id } of evidence)
    await submitEvidence({ ...ctx, payments, files: emptyStore }, { evidenceId: id });
}

/** Advances the clock by `ms` for us and the providers, then runs all timers and jobs once. */
export async function advanceTime(
  saleScenario: SaleScenario,
  ms: number,
  { ctx = saleScenario.system, payments = saleScenario.payments }: { ctx?: Ctx; payments?: Payments } = {},
): Promise<void> {
  saleScenario.clock.advance(ms);
  await processDue(saleScenario.db, saleScenario.clock.now());
  await runJobs(ctx, payments);
  await sweepSales({ ...ctx, payments });
  await reconcileSales({ ...ctx, payments });
  await runJobs(ctx, payments);
}

/** Longer than every hold, waiting period and timer that moves money. */
const LONGEST_WAIT_MS = 11 * DAY;

/** Advances time without faults until nothing changes anymore, however long one waits. */
export async function settleAll(
  saleScenario: SaleScenario,
  { payments = saleScenario.payments }: { payments?: Payments } = {},
): Promise<void> {
  for (const ms of [2 * MINUTE, HOUR + MINUTE, LONGEST_WAIT_MS])
    await advanceTime(saleScenario, ms, { payments });
  let before = await saleStates(saleScenario.db);
  for (let round = 0; round < 20; round += 1) {
    await advanceTime(saleScenario, LONGEST_WAIT_MS, { payments });
    const now = await saleStates(saleScenario.db);
    if (now === before) return;
    before = now;
  }
}

/** The states of all sales and refunds, to detect changes. */
async function saleStates(db: Database): Promise<string> {
  const sales = await db
    .q()
    .selectFrom('property_sales')
    .select(['id', 'stripe_payment_status', 'escrow_status', 'frozen_at'])
    .orderBy('id')
    .execute();
  const refunds = await db.q().selectFrom('refunds').select(['id', 'status']).orderBy('id').execute();
  return JSON.stringify([sales, refunds]);
}
