import { sql } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { testClock } from '#tests/support/context.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { paymentsContract } from '../contract.ts';
import type { PaymentsBench } from '../contract-bench.ts';
import type { Rail } from '../port.ts';
import { disputeSandbox, settleSandbox, settleSandboxRefund } from './banks.ts';
import { signedMessage } from './messages.ts';
import { actOnSandbox, type SandboxAction } from './page.ts';
import { sandboxSecret } from './rules.ts';
import { createSandbox } from './sandbox.ts';

const SECRET = 'a secret for tests that is long enough';

/** A sandbox on a database of its own, with its payer, its banks and its chain. */
function sandboxBench(db: Database, rail: Rail): PaymentsBench {
  const { now, advance } = testClock();
  const port = createSandbox({ db, rail, secret: SECRET, now, publicUrl: 'http://localhost:3000' });
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
    async signedWebhook(ref, secret = sandboxSecret(SECRET, rail)) {
      const event = await db
        .q()
        .selectFrom('sandbox_deliveries')
        .selectAll()
        .where('ref', '=', ref)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      return signedMessage(event, secret, now());
    },
    stop: async () => undefined,
  };
}

await describeOnEachDatabase('sandbox', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  const empty = () =>
    sql`truncate sandbox_checkouts, sandbox_refunds, sandbox_keys, sandbox_deliveries`.execute(db.q());
  for (const rail of ['card', 'crypto'] as const)
    paymentsContract(`sandbox-${rail}`, async () => {
      await empty();
      return sandboxBench(db, rail);
    });
});
