import { moveListing } from '#features/listings/commands/move-listing.ts';
import { holdListingsOfUser } from '#features/listings/hold-listings.ts';
import { eraseAccount } from '#features/personal-data/commands/erase-account.ts';
import { countOpenSalesOf } from '#features/sales/reads.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { lockManagedSeller } from '../lock-managed.ts';
import { listingsToWithdraw, removalOf } from '../removal.ts';
import { mayManageSellers } from '../rules.ts';

interface DeleteInput {
  sellerId: string;
  /** what the administrator has confirmed */
  way: string;
}

type DeleteSellerResult =
  | { ok: true; way: 'delete' | 'archive' }
  /** a sale or payout is under way */
  | { ok: false; reason: 'open_sale' }
  /** it would do something else than what was confirmed */
  | { ok: false; reason: 'changed' };

type Seller = Awaited<ReturnType<typeof lockManagedSeller>>;

/** A purchase began while the listings were withdrawn; undoes everything. */
class SaleBegan extends Error {}

/**
 * Deletes a seller who never had a listing or a sale, with their account. Any other is archived: they cannot sign in anymore,
 * their listings are withdrawn, and what happened stays on record.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function deleteSeller(ctx: Ctx, { sellerId, way }: DeleteInput): Promise<DeleteSellerResult> {
  authorize(ctx, mayManageSellers);
  try {
    return await ctx.db.tx(async () => {
      // Waits for a first listing that is being written.
      const seller = await lockManagedSeller(ctx, sellerId, { toDelete: way === 'delete' });
      const removal = await removalOf(ctx, seller.id);
      if (removal.way === 'refused') return { ok: false, reason: 'open_sale' };
      if (removal.way !== way) return { ok: false, reason: 'changed' };
      await (removal.way === 'delete' ? remove : archive)(ctx, seller);
      if (seller.user_id)
        await publish(ctx, { audience: `user:${seller.user_id}`, type: 'session', payload: {} });
      return { ok: true, way: removal.way };
    });
  } catch (error) {
    if (error instanceof SaleBegan) return { ok: false, reason: 'open_sale' };
    throw error;
  }
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

async function archive(ctx: Ctx, seller: Seller): Promise<void> {
  const q = ctx.db.q();
  const withdrawal = { event: 'withdraw', reason: 'The seller left the marketplace' } as const;
  for (const propertyId of await listingsToWithdraw(ctx, seller.id))
    await moveListing(asSystem(ctx, 'seller-deletion'), { propertyId, ...withdrawal });
  // One that could not be withdrawn is being bought; with the others no further purchase can begin.
  if ((await countOpenSalesOf(ctx, seller.id)) > 0) throw new SaleBegan();
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
}
