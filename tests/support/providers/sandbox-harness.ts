import { sql } from 'kysely';
import { fixtureRequest, type PaymentsFixture } from '#gateways/payments/contract-fixture.ts';
import type { TranchesFixture } from '#gateways/payments/contract-tranches.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { performSandboxAction, type SandboxAction } from '#gateways/payments/sandbox/checkout-page.ts';
import {
  closeSandboxDispute,
  disputeSandbox,
  escalateSandboxInquiry,
} from '#gateways/payments/sandbox/disputes.ts';
import { processDue } from '#gateways/payments/sandbox/process-due.ts';
import { createSandbox, type SandboxConfig } from '#gateways/payments/sandbox/provider.ts';
import { defaultAccount, sandboxWebhookSecret } from '#gateways/payments/sandbox/rules.ts';
import {
  holdSandboxRefund,
  refundInDashboard,
  settleSandbox,
  settleSandboxRefund,
} from '#gateways/payments/sandbox/settlement.ts';
import { sendTranche } from '#gateways/payments/sandbox/tranches.ts';
import { returnToSandbox, sendFromSandbox } from '#gateways/payments/sandbox/treasury.ts';
import { signWebhook } from '#gateways/payments/sandbox/webhook.ts';
import type { Database } from '#platform/db/database.ts';
import { testClock } from '../fixtures/context.ts';

const TABLES = sql`sandbox_checkouts, sandbox_tranches, sandbox_refunds, sandbox_disputes, sandbox_transactions, sandbox_keys,
  sandbox_deliveries`;

export const SANDBOX_SECRET = 'a secret for tests that is long enough';

/** The events of the sandbox's payments in order. */
export const sandboxEvents = (db: Database) =>
  db
    .q()
    .selectFrom('sandbox_deliveries')
    .selectAll()
    .where('method', 'in', ['card', 'crypto'])
    .$narrowType<{ method: PaymentMethod }>()
    .orderBy('id')
    .execute();

/** An empty sandbox on a manual clock, with the actions of its payer, banks and blockchain. */
export async function createSandboxHarness(
  db: Database,
  method: PaymentMethod,
  change: Partial<SandboxConfig> = {},
): Promise<PaymentsFixture> {
  await sql`truncate ${TABLES}`.execute(db.q());
  const { now, advance } = testClock();
  const publicUrl = 'http://localhost:3000';
  const config: SandboxConfig = { db, method, secret: SANDBOX_SECRET, now, publicUrl, ...change };
  const port = createSandbox(config);
  const who = defaultAccount(method);
  const act = async (ref: string, action: SandboxAction) => {
    const result = await performSandboxAction(db, ref, action, now());
    if (!result.ok) throw new Error(result.reason);
  };
  return {
    port,
    now,
    advance,
    pay: (ref) => act(ref, 'pay'),
    payLater: (ref) => act(ref, 'pay_later'),
    settle: (ref) => settleSandbox(db, ref, 'paid', now()),
    bounce: (ref) => settleSandbox(db, ref, 'failed', now()),
    settleRefund: (ref) => settleSandboxRefund(db, ref, 'succeeded', now()),
    failRefund: (ref) => settleSandboxRefund(db, ref, 'failed', now()),
    refundInDashboard: async (ref, amountCents) => {
      await refundInDashboard(db, ref, amountCents, now());
    },
    coverShortfall(covers) {
      config.coversShortfall = covers;
    },
    passTime: () => processDue(db, now()),
    otherKeys: createSandbox({ ...config, account: 'another', livemode: true }),
    async payMany(count) {
      for (let at = 0; at < count; at++) {
        const request = fixtureRequest(
          { now },
          { amountCents: 100, lines: [{ name: 'Lot', amountCents: 100 }] },
        );
        await act((await port.createCheckout(request, `many:${at}`)).ref, 'pay');
      }
    },
    ...(method === 'card' && {
      banks: {
        dispute: (ref, options) => disputeSandbox(db, ref, now(), options),
        escalate: (ref) => escalateSandboxInquiry(db, ref, now()),
        decide: (ref, status, returnedCents) =>
          closeSandboxDispute(db, ref, status, now(), returnedCents === undefined ? {} : { returnedCents }),
        holdRefund: (ref) => holdSandboxRefund(db, ref, now()),
      },
      treasury: {
        payOut: (amountCents) => sendFromSandbox(db, who, { kind: 'bank_payout', amountCents }, now()),
        transfer: (amountCents, saleId) =>
          sendFromSandbox(db, who, { kind: 'transfer', amountCents, saleId }, now()),
        sendBack: (ref) => returnToSandbox(db, ref, now()),
        setManualPayouts(manual) {
          config.manualPayouts = manual;
        },
      },
    }),
    async signedWebhook(ref, secret = sandboxWebhookSecret(SANDBOX_SECRET, method)) {
      const event = (await sandboxEvents(db)).findLast((each) => each.ref === ref);
      if (!event) throw new Error('Nothing was said about this checkout');
      return signWebhook(event, secret, now());
    },
    stop: async () => undefined,
  };
}

/** The same for payments in parts. */
export async function createTranchesHarness(db: Database): Promise<TranchesFixture> {
  await sql`truncate ${TABLES}`.execute(db.q());
  const { now, advance } = testClock();
  const config = {
    db,
    method: 'card',
    secret: SANDBOX_SECRET,
    now,
    publicUrl: 'http://localhost:3000',
  } as const;
  return {
    port: createSandbox({ ...config, inParts: true }),
    sibling: createSandbox(config),
    now,
    advance,
    booksSurplus: true,
    send: (ref, amountCents) => sendTranche(db, ref, amountCents, now()),
    async partsOf(batch) {
      const parts = db.q().selectFrom('sandbox_refunds as r').select('r.ref').where('r.batch', '=', batch);
      const rows = await parts
        .innerJoin('sandbox_tranches as t', 't.ref', 'r.tranche_ref')
        .orderBy('t.id')
        .execute();
      return rows.map(({ ref }) => ref);
    },
    settlePart: (part) => settleSandboxRefund(db, part, 'succeeded', now()),
    failPart: (part) => settleSandboxRefund(db, part, 'failed', now()),
    refundInDashboard: async (ref, amountCents) => {
      await refundInDashboard(db, ref, amountCents, now());
    },
    async signedWebhook(ref) {
      const event = (await sandboxEvents(db)).findLast((each) => each.ref === ref);
      if (!event) throw new Error('Nothing was said about this checkout');
      return signWebhook(event, sandboxWebhookSecret(SANDBOX_SECRET, 'card'), now());
    },
    stop: async () => undefined,
  };
}
