import type { Database } from '#platform/db/database.ts';
import { statusAt } from './checkout.ts';
import { loseUnanswered } from './disputes.ts';
import { endRefund, releaseWaiting } from './refunds.ts';
import { settle } from './settlement.ts';
import { close, withCheckout } from './transitions.ts';

/** Per kind and run; the next run finds the rest. */
const BATCH = 200;

/**
 * Processes everything due by `now`: expires checkouts, settles payments and refunds, sends refunds that waited for the balance,
 * and decides disputes that were not answered in time.
 */
export async function processDue(db: Database, now: Date): Promise<void> {
  await expireDue(db, now);
  await settleDue(db, now);
  await releaseCovered(db, now);
  await refundDue(db, now);
  await loseDue(db, now);
}

async function expireDue(db: Database, now: Date): Promise<void> {
  const due = await db
    .q()
    .selectFrom('sandbox_checkouts')
    .select('ref')
    .where('status', '=', 'open')
    .where('in_parts', '=', false)
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(BATCH)
    .execute();
  for (const { ref } of due)
    await withCheckout(db, ref, async (checkout) => {
      // Another process may have been faster.
      if (checkout.status === 'open' && statusAt(checkout, now) === 'expired')
        await close(db, checkout, 'expired', now);
    });
}

async function settleDue(db: Database, now: Date): Promise<void> {
  const due = await db
    .q()
    .selectFrom('sandbox_checkouts')
    .select('ref')
    .where('status', '=', 'processing')
    .where('settle_at', '<=', now)
    .orderBy('settle_at')
    .limit(BATCH)
    .execute();
  for (const { ref } of due)
    await withCheckout(db, ref, async (checkout) => {
      if (checkout.status === 'processing') await settle(db, checkout, 'paid', now);
    });
}

async function refundDue(db: Database, now: Date): Promise<void> {
  const due = await db
    .q()
    .selectFrom('sandbox_refunds')
    .select(['ref', 'checkout_ref'])
    .where('status', '=', 'pending')
    .where('waiting', '=', false)
    .where('settle_at', '<=', now)
    .orderBy('settle_at')
    .limit(BATCH)
    .execute();
  for (const { ref, checkout_ref } of due)
    await withCheckout(db, checkout_ref, async (checkout) => {
      await endRefund(db, checkout, { ref, from: ['pending'], outcome: 'succeeded' }, now);
    });
}

async function releaseCovered(db: Database, now: Date): Promise<void> {
  const waiting = await db
    .q()
    .selectFrom('sandbox_refunds')
    .select(['ref', 'checkout_ref'])
    .where('waiting', '=', true)
    .orderBy('created_at')
    .limit(BATCH)
    .execute();
  for (const { ref, checkout_ref } of waiting)
    await withCheckout(db, checkout_ref, (checkout) => releaseWaiting(db, checkout, ref, now));
}

async function loseDue(db: Database, now: Date): Promise<void> {
  const due = await db
    .q()
    .selectFrom('sandbox_disputes')
    .select('ref')
    .where('status', '=', 'open')
    .where('kind', '=', 'chargeback')
    .where('answered_at', 'is', null)
    .where('evidence_due_at', '<=', now)
    .orderBy('evidence_due_at')
    .limit(BATCH)
    .execute();
  for (const { ref } of due) await loseUnanswered(db, ref, now);
}
