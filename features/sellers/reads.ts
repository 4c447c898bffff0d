import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { type BoundedCount, lastPageOf } from '#platform/counts.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { defaultCommissionRate } from './default-rate.ts';
import { type SellerListQuery, sellerById, sellerCount, sellerPage } from './directory.ts';
import type { ManagedSeller, SellerRemoval } from './management.ts';
import type { RegistrationState, SellerProfile } from './model.ts';
import { resolveRegistrationLink } from './registration.ts';
import { removalOf } from './removal.ts';
import { mayManageSellers, mayRegister, mayUseSellerArea } from './rules.ts';

/** The state of a registration link, for its page. */
export async function registrationState(
  ctx: Ctx,
  link: { id: string | null; token: string | null },
): Promise<RegistrationState> {
  authorize(ctx, mayRegister);
  return resolveRegistrationLink(ctx, link);
}

/**
 * The seller's own public profile.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function ownSellerProfile(ctx: Ctx): Promise<SellerProfile> {
  const { agentId } = authorizedUser(ctx, mayUseSellerArea);
  const row = await ctx.db
    .q()
    .selectFrom('agents as a')
    .select(['a.id', 'a.name', 'a.email', 'a.registered_at'])
    .select((of) => [
      of
        .selectFrom('properties')
        .select((count) => count.fn.countAll<number>().filterWhere('status', '=', 'Active').as('n'))
        .whereRef('agent_id', '=', 'a.id')
        .where('deleted_at', 'is', null)
        .as('active'),
      of
        .selectFrom('properties')
        .select((count) => count.fn.countAll<number>().filterWhere('status', '=', 'Sold').as('n'))
        .whereRef('agent_id', '=', 'a.id')
        .where('deleted_at', 'is', null)
        .as('sold'),
    ])
    .where('a.id', '=', agentId)
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    registeredAt: row.registered_at?.toISOString() ?? null,
    activeListings: Number(row.active),
    soldListings: Number(row.sold),
  };
}

/** A page of the administrators' list of sellers. */
interface SellerList {
  sellers: ManagedSeller[];
  /** across all pages */
  total: BoundedCount;
  page: number;
  pages: number;
  /** the share in percent of a seller without a rate of their own */
  defaultRate: number;
}

/**
 * The sellers that match, newest first unless sorted; archived ones only when asked for.
 * @param query `pageSize`: sellers on a page
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function sellerList(
  ctx: Ctx,
  query: SellerListQuery & { pageSize: number },
): Promise<SellerList> {
  authorize(ctx, mayManageSellers);
  const { pageSize } = query;
  const [total, defaultRate] = await Promise.all([sellerCount(ctx, query), defaultCommissionRate(ctx)]);
  const pages = lastPageOf(total, pageSize);
  const page = Math.min(Math.max(1, Math.trunc(query.page ?? 1)), pages);
  const sellers = await sellerPage(ctx, query, {
    limit: pageSize,
    offset: (page - 1) * pageSize,
    defaultRate,
  });
  return { sellers, total, page, pages, defaultRate };
}

/**
 * One seller for a dialog or the drawer, archived or not.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function managedSeller(ctx: Ctx, sellerId: string): Promise<ManagedSeller> {
  authorize(ctx, mayManageSellers);
  const seller = isUuid(sellerId) ? await sellerById(ctx, sellerId) : null;
  if (!seller) throw new NotFound('Seller not found');
  return seller;
}

/**
 * What deleting a seller would do now, to be confirmed.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function sellerRemoval(ctx: Ctx, sellerId: string): Promise<SellerRemoval> {
  authorize(ctx, mayManageSellers);
  if (!isUuid(sellerId)) throw new NotFound('Seller not found');
  return removalOf(ctx, sellerId);
}
