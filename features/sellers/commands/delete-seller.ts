import { holdListingsOfSeller, holdListingsOfUser } from '#features/listings/hold-listings.ts';
import { eraseAccount } from '#features/personal-data/commands/erase-account.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { lockManagedSeller } from '../lock-managed.ts';
import { withdrawListingsJob } from '../queues.ts';
import { listingsToWithdraw, removalOf, WITHDRAWN_AT_ONCE, withdrawAll } from '../removal.ts';
import { mayManageSellers } from '../rules.ts';

interface DeleteInput {
  sellerId: string;
  /** what the administrator has confirmed */
  way: string;
}

type DeleteSellerResult =
  /** `withdrawing`: not all listings are withdrawn yet, a job does the rest */
  | { ok: true; way: 'delete' | 'archive'; withdrawing?: true }
  /** a sale or payout is under way */
  | { ok: false; reason: 'open_sale' }
  /** it would do something else than what was confirmed */
  | { ok: false; reason: 'changed' };

type Seller = Awaited<ReturnType<typeof lockManagedSeller>>;

/**
 * Deletes a seller who never had a listing or a sale, with their account. Any other is archived: they cannot sign in anymore,
 * nothing of theirs is sold, their listings are withdrawn, of very many most by a job, and what happened stays on record.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function deleteSeller(ctx: Ctx, { sellerId, way }: DeleteInput): Promise<DeleteSellerResult> {
  authorize(ctx, mayManageSellers);
  return ctx.db.tx(async (): Promise<DeleteSellerResult> => {
    // Waits for a first listing that is being written.
    const seller = await lockManagedSeller(ctx, sellerId, { toDelete: way === 'delete' });
    // A purchase holds the listing: one that has begun is counted, and no other one begins before the seller is archived.
    if (way === 'archive') await holdListingsOfSeller(ctx, seller.id);
    const removal = await removalOf(ctx, seller.id);
    if (removal.way === 'refused') return { ok: false, reason: 'open_sale' };
    if (removal.way !== way) return { ok: false, reason: 'changed' };
    if (removal.way === 'delete') await remove(ctx, seller);
    const rest = removal.way === 'archive' ? await archive(ctx, seller) : {};
    if (seller.user_id)
      await publish(ctx, { audience: `user:${seller.user_id}`, type: 'session', payload: {} });
    return { ok: true, way: removal.way, ...rest };
  });
}

/** Erases account and record; it is the system that erases, and that takes listings off the market in place of their seller. */
async function remove(ctx: Ctx, seller: Seller): Promise<void> {
  const { id, user_id: userId, name, email } = seller;
  if (userId) {
    await holdListingsOfUser(ctx, userId);
    const account = await ctx.db
      .q()
      .selectFrom('users')
      .select(['id', 'email'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    await eraseAccount(asSystem(ctx, 'seller-deletion'), account);
    await audit(ctx, { action: 'account.close', entity: 'user', entityId: userId });
  }
  const q = ctx.db.q();
  // What a seller can have without a listing and does not go with the record; the audit row keeps the accounts with the provider, which
  // are still there.
  await q.deleteFrom('api_keys').where('agent_id', '=', id).execute();
  const accounts = await q
    .deleteFrom('seller_accounts')
    .where('agent_id', '=', id)
    .returning('ref')
    .execute();
  const refs = accounts.flatMap(({ ref }) => ref ?? []);
  await q.deleteFrom('agents').where('id', '=', id).execute();
  await audit(ctx, {
    action: 'seller.delete',
    entity: 'agent',
    entityId: id,
    before: {
      name,
      email,
      ...stateOf(seller),
      ...(refs.length > 0 && { stripeAccounts: refs }),
    },
    after: Object.fromEntries(Object.keys(stateOf(seller)).map((field) => [field, null])),
  });
}

/** What the audit log knows of the seller; a deleted one has nothing of it. */
const stateOf = (seller: Seller) => ({
  status: seller.status,
  registered: seller.is_registered || null,
  commissionRate: seller.commission_rate,
  payoutMethod: seller.preferred_payout_method,
  stripeAccount: seller.stripe_account_id,
  paypalEmail: seller.paypal_email,
  paypalConfirmed: seller.paypal_confirmed_at !== null || null,
  payoutStatus: seller.payout_status === 'pending' ? null : seller.payout_status,
});

async function archive(ctx: Ctx, seller: Seller): Promise<{ withdrawing?: true }> {
  const q = ctx.db.q();
  await q.updateTable('agents').set({ archived_at: ctx.now() }).where('id', '=', seller.id).execute();
  await q
    .deleteFrom('agent_invitations')
    .where('agent_id', '=', seller.id)
    .where('used_at', 'is', null)
    .execute();
  if (seller.user_id) await q.deleteFrom('sessions').where('user_id', '=', seller.user_id).execute();
  await audit(ctx, {
    action: 'seller.archive',
    entity: 'agent',
    entityId: seller.id,
    after: { archived: true },
  });
  const first = await listingsToWithdraw(ctx, { sellerId: seller.id, after: null, limit: WITHDRAWN_AT_ONCE });
  await withdrawAll(ctx, first);
  const last = first.at(-1);
  if (!last || first.length < WITHDRAWN_AT_ONCE) return {};
  await enqueue(ctx, withdrawListingsJob, { sellerId: seller.id, after: last.id }, { key: seller.id });
  return { withdrawing: true };
}
