import { sql } from 'kysely';
import type { PaymentsFixture } from '#gateways/payments/contract-fixture.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { performSandboxAction, type SandboxAction } from '#gateways/payments/sandbox/checkout-page.ts';
import { createSandbox, type SandboxConfig } from '#gateways/payments/sandbox/provider.ts';
import { sandboxWebhookSecret } from '#gateways/payments/sandbox/rules.ts';
import { disputeSandbox, settleSandbox, settleSandboxRefund } from '#gateways/payments/sandbox/settlement.ts';
import { signWebhook } from '#gateways/payments/sandbox/webhook.ts';
import type { Database } from '#platform/db/database.ts';
import { testClock } from '../fixtures/context.ts';

export const SANDBOX_SECRET = 'a secret for tests that is long enough';

/** The events of the sandbox in order. */
export const sandboxEvents = (db: Database) =>
  db.q().selectFrom('sandbox_deliveries').selectAll().orderBy('id').execute();

/** An empty sandbox on a manual clock, with the actions of its payer, banks and blockchain. */
export async function createSandboxHarness(
  db: Database,
  rail: PaymentMethod,
  change: Partial<SandboxConfig> = {},
): Promise<PaymentsFixture> {
  await sql`truncate sandbox_checkouts, sandbox_refunds, sandbox_keys, sandbox_deliveries`.execute(db.q());
  const { now, advance } = testClock();
  const publicUrl = 'http://localhost:3000';
  const port = createSandbox({ db, rail, secret: SANDBOX_SECRET, now, publicUrl, ...change });
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
    ...(rail === 'card' && { dispute: (ref: string) => disputeSandbox(db, ref, now()) }),
    async signedWebhook(ref, secret = sandboxWebhookSecret(SANDBOX_SECRET, rail)) {
      const event = (await sandboxEvents(db)).findLast((each) => each.ref === ref);
      if (!event) throw new Error('Nothing was said about this checkout');
      return signWebhook(event, secret, now());
    },
    stop: async () => undefined,
  };
}
