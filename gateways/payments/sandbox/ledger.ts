import { randomBytes } from 'node:crypto';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import { takeLock } from '#platform/db/locks.ts';
import type { SandboxCheckoutsTable, SandboxTransactionsTable } from '#platform/db/schema.gen.ts';
import {
  PaymentError,
  type ProviderBalance,
  type ProviderTransaction,
  type TransactionKind,
  type TransactionPage,
} from '../port.ts';
import type { SandboxAccount } from './rules.ts';

/** What a transaction says about the checkout that it is for. */
type CheckoutOfTransaction = SandboxAccount &
  Pick<Selectable<SandboxCheckoutsTable>, 'ref' | 'payment_ref' | 'sale_id'>;

/** A change of the balance; `feeCents` is 0 and the money available at once unless given. */
interface Movement {
  kind: TransactionKind;
  amountCents: number;
  feeCents?: number;
  objectRef?: string;
  saleId?: string;
  availableAfterMs?: number;
}

const PAGE_SIZE = 100;

/** Enters a change of the balance into the books. */
export async function recordMovement(
  db: Database,
  { method, account, livemode }: SandboxAccount,
  { kind, amountCents, feeCents = 0, objectRef, saleId, availableAfterMs = 0 }: Movement,
  now: Date,
): Promise<void> {
  await db
    .q()
    .insertInto('sandbox_transactions')
    .values({
      ref: newRef(),
      method,
      account,
      livemode,
      kind,
      amount_cents: amountCents,
      fee_cents: feeCents,
      object_ref: objectRef ?? null,
      sale_id: saleId ?? null,
      created_at: now,
      available_at: new Date(now.getTime() + availableAfterMs),
    })
    .execute();
}

/** Enters a change of the balance that is about a checkout. */
export async function recordForCheckout(
  db: Database,
  checkout: CheckoutOfTransaction,
  movement: Omit<Movement, 'saleId'>,
  now: Date,
): Promise<void> {
  await db
    .q()
    .insertInto('sandbox_transactions')
    .values(checkoutTransaction(checkout, movement, now))
    .execute();
}

/** The row of a change of the balance that is about a checkout. */
export function checkoutTransaction(
  checkout: CheckoutOfTransaction,
  { kind, amountCents, feeCents = 0, objectRef, availableAfterMs = 0 }: Omit<Movement, 'saleId'>,
  now: Date,
): Insertable<SandboxTransactionsTable> {
  return {
    ref: newRef(),
    method: checkout.method,
    account: checkout.account,
    livemode: checkout.livemode,
    kind,
    amount_cents: amountCents,
    fee_cents: feeCents,
    checkout_ref: checkout.ref,
    payment_ref: checkout.payment_ref,
    object_ref: objectRef ?? null,
    sale_id: checkout.sale_id,
    created_at: now,
    available_at: new Date(now.getTime() + availableAfterMs),
  };
}

const newRef = () => `txn_sandbox_${randomBytes(16).toString('hex')}`;

/** The balance of an account. */
export async function readBalance(
  db: Database,
  { method, account, livemode }: SandboxAccount,
  now: Date,
): Promise<ProviderBalance> {
  const { available, pending } = await db
    .q()
    .selectFrom('sandbox_transactions')
    .select([
      sql<number>`coalesce(sum(amount_cents - fee_cents) filter (where available_at <= ${now}), 0)::bigint`.as(
        'available',
      ),
      sql<number>`coalesce(sum(amount_cents - fee_cents) filter (where available_at > ${now}), 0)::bigint`.as(
        'pending',
      ),
    ])
    .where('method', '=', method)
    .where('account', '=', account)
    .where('livemode', '=', livemode)
    .executeTakeFirstOrThrow();
  return { availableCents: available, pendingCents: pending };
}

/** What can be spent of the available balance now; whoever asks waits for others who are about to spend of it. */
export async function lockAvailableCents(db: Database, who: SandboxAccount, now: Date): Promise<number> {
  const name = `sandbox balance ${who.method} ${who.account} ${who.livemode}`;
  await takeLock({ db }, name);
  return (await readBalance(db, who, now)).availableCents;
}

/**
 * A page of an account's transactions, oldest first.
 * @throws PaymentError `invalid` for a cursor that is not one of ours
 */
export async function readTransactions(
  db: Database,
  { method, account, livemode }: SandboxAccount,
  { since, cursor = '0' }: { since: Date; cursor?: string },
): Promise<TransactionPage> {
  if (!/^\d{1,18}$/.test(cursor))
    throw new PaymentError('invalid', 'This is no cursor of a list of transactions');
  const rows = await db
    .q()
    .selectFrom('sandbox_transactions')
    .selectAll()
    .where('method', '=', method)
    .where('account', '=', account)
    .where('livemode', '=', livemode)
    .where('created_at', '>=', since)
    .where('id', '>', Number(cursor))
    .orderBy('id')
    .limit(PAGE_SIZE + 1)
    .execute();
  const page = rows.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return {
    transactions: page.map(
      (row): ProviderTransaction => ({
        ref: row.ref,
        kind: row.kind,
        amountCents: row.amount_cents,
        feeCents: row.fee_cents,
        currency: 'usd',
        checkoutRef: row.checkout_ref,
        paymentRef: row.payment_ref,
        objectRef: row.object_ref,
        saleId: row.sale_id,
        at: row.created_at,
      }),
    ),
    next: rows.length > PAGE_SIZE && last ? String(last.id) : null,
  };
}
