import { type RawBuilder, type Selectable, sql } from 'kysely';
import { openSecret } from '#gateways/payments/stripe/key-sets.ts';
import { type AuditAction, audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import type { StripeConnectionTable, StripeKeySetsTable } from '#platform/db/schema.gen.ts';
import { DAY } from '#platform/durations.ts';

export type KeySet = Selectable<StripeKeySetsTable>;
type ConnectionRow = Selectable<StripeConnectionTable>;

/** Which mode takes new payments; every change of keys locks it first. */
export const connectionRow = (ctx: Ctx): Promise<ConnectionRow> =>
  ctx.db.q().selectFrom('stripe_connection').selectAll().executeTakeFirstOrThrow();

/** The same, locked until the transaction ends. */
export const lockedConnection = (ctx: Ctx): Promise<ConnectionRow> =>
  ctx.db.q().selectFrom('stripe_connection').selectAll().forUpdate().executeTakeFirstOrThrow();

/** The keys that administrators have saved; those that were replaced have a `retired_at`. */
export const savedKeySets = (ctx: Ctx): Promise<KeySet[]> =>
  ctx.db.q().selectFrom('stripe_key_sets').selectAll().orderBy('livemode').orderBy('set_at').execute();

/** The keys of a mode that are in use. */
export const currentSet = (sets: readonly KeySet[], livemode: boolean): KeySet | undefined =>
  sets.find((set) => set.livemode === livemode && set.retired_at === null);

/** The secret key of a row; null when no configured secret of the server opens it. */
export const secretKeyOf = (ctx: Ctx, { id, secret_sealed }: KeySet): string | null =>
  openSecret(ctx.config, id, 'key', secret_sealed);

/** Most sales that are counted. */
const COUNT_LIMIT = 1_000;

/** How long a payer's bank can still dispute a payment of a sale that has ended, or send a refund of it back. */
const DISPUTABLE_MS = 180 * DAY;

const isUnderWay = sql<boolean>`(s.stripe_payment_status in ('pending', 'processing')
  or (s.stripe_payment_status = 'completed'
    and (s.escrow_status <> 'completed' or coalesce(s.payout_status, 'pending') <> 'completed')))`;

/** How many sales with live keys have not ended, at most 1,000: waiting for money, in escrow, to be paid out or refunded. */
export const liveSalesUnderWay = (ctx: Ctx): Promise<number> =>
  countSales(ctx, sql`s.livemode and ${isUnderWay}`);

/**
 * How many sales need the keys of an account and mode, at most 1,000: those under way, live ones whose payer may still dispute the
 * payment or whose refund may come back, and those whose payout was sent with them and is under way or, if live, may come back or
 * have to be taken back. Sales whose account is not known yet belong to each.
 */
export const salesNeeding = (
  ctx: Ctx,
  { livemode, account_ref }: Pick<KeySet, 'livemode' | 'account_ref'>,
): Promise<number> => {
  const since = new Date(ctx.now().getTime() - DISPUTABLE_MS);
  return countSales(
    ctx,
    sql`s.livemode = ${livemode}
      and (s.provider_account_id is null or exists (select 1 from provider_accounts a
        where a.id = s.provider_account_id and a.account_ref = ${account_ref}))
      and (${isUnderWay} or (s.livemode and s.stripe_payment_status in ('completed', 'refunded')
        and s.updated_at > ${since}))`,
    sql`p.livemode = ${livemode} and a.account_ref = ${account_ref}
      and (p.status = 'processing'
        or exists (select 1 from payout_reversals r where r.payout_id = p.id and r.status = 'pending')
        or (p.livemode and p.paid_cents > p.returned_cents + p.reversed_cents
          and coalesce(p.settled_at, p.created_at) > ${since}))`,
  );
};

async function countSales(
  ctx: Ctx,
  which: RawBuilder<unknown>,
  payouts: RawBuilder<unknown> = sql`false`,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select least(count(*), ${COUNT_LIMIT})::int as count from (
      (select s.id from property_sales s
        where s.provider in ('stripe', 'stripe-transfers') and ${which}
        limit ${COUNT_LIMIT})
      union
      (select p.sale_id from payouts p join provider_accounts a on a.id = p.provider_account_id
        where p.provider = 'stripe-connect' and ${payouts}
        limit ${COUNT_LIMIT})) found`.execute(ctx.db.q());
  return rows[0]?.count ?? 0;
}

/** Takes keys out of use for new payments; they go on serving the sales that were begun with them. */
export async function retireKeys(ctx: Ctx, set: KeySet): Promise<void> {
  const retired = { retired_at: ctx.now() };
  await ctx.db.q().updateTable('stripe_key_sets').set(retired).where('id', '=', set.id).execute();
  await auditKeys(ctx, {
    action: 'stripe.retire_keys',
    id: set.id,
    before: auditedKeys(set),
    after: auditedKeys({ ...set, ...retired }),
  });
}

/** Says that something about the connection has changed, so that whoever saw it before is told. */
export async function changeConnection(
  ctx: Ctx,
  { version, ...before }: ConnectionRow,
  change: Partial<Pick<ConnectionRow, 'livemode' | 'disconnected_at'>>,
  action: AuditAction,
): Promise<void> {
  const after = { ...before, ...change };
  await ctx.db
    .q()
    .updateTable('stripe_connection')
    .set({ ...change, version: version + 1, updated_at: ctx.now() })
    .where('id', '=', before.id)
    .execute();
  await audit(ctx, {
    action,
    entity: 'stripe_connection',
    entityId: String(before.id),
    before: auditedConnection(before),
    after: auditedConnection(after),
  });
}

const auditedConnection = ({
  livemode,
  disconnected_at,
}: Pick<ConnectionRow, 'livemode' | 'disconnected_at'>) => ({
  liveMode: livemode || null,
  disconnected: disconnected_at !== null || null,
});

/** What audit rows hold of keys, before and after each change: no secret. */
interface AuditedKeys {
  live: true | null;
  account: string | null;
  key: string | null;
  publishableKey: string | null;
  webhook: string | null;
  retired: true | null;
}

export const NO_KEYS: AuditedKeys = {
  live: null,
  account: null,
  key: null,
  publishableKey: null,
  webhook: null,
  retired: null,
};

export const auditedKeys = (
  set: Pick<
    KeySet,
    'livemode' | 'account_ref' | 'secret_hint' | 'publishable_key' | 'endpoint_ref' | 'retired_at'
  >,
): AuditedKeys => ({
  live: set.livemode || null,
  account: set.account_ref,
  key: set.secret_hint,
  publishableKey: set.publishable_key,
  webhook: set.endpoint_ref,
  retired: set.retired_at !== null || null,
});

export const auditKeys = (
  ctx: Ctx,
  entry: { action: AuditAction; id: string; before: AuditedKeys; after: AuditedKeys },
): Promise<void> =>
  audit(ctx, {
    action: entry.action,
    entity: 'stripe_key_set',
    entityId: entry.id,
    before: entry.before,
    after: entry.after,
  });
