import { sql } from 'kysely';
import type { PaymentsBench } from '#gateways/payments/contract-bench.ts';
import type { Rail } from '#gateways/payments/port.ts';
import { disputeSandbox, settleSandbox, settleSandboxRefund } from '#gateways/payments/sandbox/banks.ts';
import { signedMessage } from '#gateways/payments/sandbox/messages.ts';
import { actOnSandbox, type SandboxAction } from '#gateways/payments/sandbox/page.ts';
import { sandboxSecret } from '#gateways/payments/sandbox/rules.ts';
import { createSandbox, type SandboxConfig } from '#gateways/payments/sandbox/sandbox.ts';
import type { Database } from '#platform/db/database.ts';
import { testClock } from './context.ts';

export const SANDBOX_SECRET = 'a secret for tests that is long enough';

/** The events of the sandbox in the order in which they came to pass. */
export const sandboxEvents = (db: Database) =>
  db.q().selectFrom('sandbox_deliveries').selectAll().orderBy('id').execute();

/** A sandbox that remembers nothing of before, on a clock that stands still, with its payer, its banks and its chain. */
export async function sandboxBench(
  db: Database,
  rail: Rail,
  change: Partial<SandboxConfig> = {},
): Promise<PaymentsBench> {
  await sql`truncate sandbox_checkouts, sandbox_refunds, sandbox_keys, sandbox_deliveries`.execute(db.q());
  const { now, advance } = testClock();
  const publicUrl = 'http://localhost:3000';
  const port = createSandbox({ db, rail, secret: SANDBOX_SECRET, now, publicUrl, ...change });
  const act = async (ref: string, action: SandboxAction) => {
    const result = await actOnSandbox(db, ref, action, now());
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
    async signedWebhook(ref, secret = sandboxSecret(SANDBOX_SECRET, rail)) {
      const event = (await sandboxEvents(db)).findLast((each) => each.ref === ref);
      if (!event) throw new Error('Nothing was said about this checkout');
      return signedMessage(event, secret, now());
    },
    stop: async () => undefined,
  };
}
