import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import type { SandboxPayoutItemsTable, SandboxPayoutsTable } from '#platform/db/schema.gen.ts';
import { DAY } from '#platform/durations.ts';
import { lockAvailableCents } from '../../payments/sandbox/ledger.ts';
import type { SandboxAccount } from '../../payments/sandbox/rules.ts';
import type { PayoutFailure, PayoutItem, PayoutState } from '../port.ts';
import { payoutState } from '../state.ts';

export type PayoutRow = Selectable<SandboxPayoutsTable>;
export type ItemRow = Selectable<SandboxPayoutItemsTable>;
type ItemState = ItemRow['state'];

/** The bank of a seller has the money two days after it has become available at Stripe. */
const BANK_DAYS = 2;

/** References in the format of the real providers. */
export const newTransferRef = (): string => `tr_sandbox_${randomBytes(16).toString('hex')}`;
export const newPayPalRef = (): string => randomBytes(8).toString('hex').slice(0, 13).toUpperCase();

/** What can be spent of the balance now, without what is promised to items that are not processed yet; holds the account's lock. */
export async function lockSpendableCents(db: Database, who: SandboxAccount, now: Date): Promise<number> {
  const available = await lockAvailableCents(db, who, now);
  return available - (await heldCents(db, who));
}

/** What is promised to items that are not processed yet. Cents. */
export async function heldCents(
  db: Database,
  { method, account, livemode }: SandboxAccount,
): Promise<number> {
  if (method !== 'paypal') return 0;
  const { held } = await db
    .q()
    .selectFrom('sandbox_payout_items as i')
    .innerJoin('sandbox_payouts as p', 'p.id', 'i.payout_id')
    .select(sql<number>`coalesce(sum(i.amount_cents + i.fee_cents), 0)::bigint`.as('held'))
    .where('i.state', 'in', ['pending', 'onhold'])
    .where('p.method', '=', method)
    .where('p.account', '=', account)
    .where('p.livemode', '=', livemode)
    .executeTakeFirstOrThrow();
  return held;
}

/** The latest payout of an account with a key, or null. */
export async function findByKey(db: Database, who: SandboxAccount, key: string): Promise<PayoutRow | null> {
  const row = await ofAccount(db, who).where('key', '=', key).orderBy('id', 'desc').executeTakeFirst();
  return row ?? null;
}

export async function findByRef(db: Database, who: SandboxAccount, ref: string): Promise<PayoutRow | null> {
  return (await ofAccount(db, who).where('ref', '=', ref).executeTakeFirst()) ?? null;
}

const ofAccount = (db: Database, { method, account, livemode }: SandboxAccount) =>
  db
    .q()
    .selectFrom('sandbox_payouts')
    .selectAll()
    .where('method', '=', method === 'paypal' ? 'paypal' : 'card')
    .where('account', '=', account)
    .where('livemode', '=', livemode);

export const readItems = (db: Database, payoutId: number): Promise<ItemRow[]> =>
  db
    .q()
    .selectFrom('sandbox_payout_items')
    .selectAll()
    .where('payout_id', '=', payoutId)
    .orderBy('id')
    .execute();

/** The state of a payout as the provider tells it. */
export async function readState(db: Database, payout: PayoutRow): Promise<PayoutState> {
  const rows = await readItems(db, payout.id);
  const isPayPal = payout.method === 'paypal';
  const left = rows.filter(({ state }) => !STAYED.includes(state));
  const settling = rows.flatMap(({ settle_at }) => settle_at ?? []);
  const arrivesAt = isPayPal
    ? (settling.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null)
    : payout.arrives_at && new Date(payout.arrives_at.getTime() + BANK_DAYS * DAY);
  return payoutState({
    key: payout.key,
    ref: isPayPal && rows.length > 0 ? payout.ref : null,
    amountCents: payout.amount_cents,
    items: rows.map(payoutItem),
    refusal: payout.refusal,
    feeCents: left.length === 0 ? null : left.reduce((sum, { fee_cents }) => sum + fee_cents, 0),
    arrivesAt,
  });
}

function payoutItem(row: ItemRow): PayoutItem {
  const { status, failure } = STATES[row.state];
  return {
    ref: row.ref,
    amountCents: row.amount_cents,
    returnedCents: row.returned_cents,
    status,
    failure: row.failure ?? failure,
  };
}

/** An item in one of these has not left the balance, and has cost nothing. */
const STAYED: readonly ItemState[] = ['pending', 'onhold', 'blocked', 'failed'];

const STATES: Readonly<Record<ItemState, { status: PayoutItem['status']; failure: PayoutFailure | null }>> = {
  pending: { status: 'processing', failure: null },
  onhold: { status: 'processing', failure: 'blocked' },
  unclaimed: { status: 'processing', failure: 'unclaimed' },
  success: { status: 'paid', failure: null },
  returned: { status: 'returned', failure: 'returned' },
  refunded: { status: 'returned', failure: 'returned' },
  reversed: { status: 'returned', failure: 'reversed' },
  blocked: { status: 'failed', failure: 'blocked' },
  failed: { status: 'failed', failure: 'other' },
};
