import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { RegistrationState, SellerProfile } from './model.ts';
import { resolveRegistrationLink } from './registration.ts';
import { mayRegister, mayUseSellerArea } from './rules.ts';

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
