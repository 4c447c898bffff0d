import type { Actor, Ctx, Role, UserActor } from './context.ts';
import { Forbidden, Unauthenticated } from './errors.ts';

/** A seller with the id of the seller record. */
export type SellerActor = UserActor & { agentId: string };

/** Decides whether an actor may do something. Each feature defines its permissions in `rules.ts` with these. */
export type Permission = (actor: Actor) => boolean;

export const anyone: Permission = () => true;
/** Only jobs and the command line. */
export const nobody: Permission = () => false;
export const signedIn: Permission = (actor) => actor.kind === 'user';
/** What only users may do, and which of them. */
const forUsers =
  (permission: (actor: UserActor) => boolean): Permission =>
  (actor) =>
    actor.kind === 'user' ? permission(actor) : false;
/** An administrator who has no second factor yet, but needs one, may do nothing that a role allows. */
export const hasRole = (...roles: Role[]): Permission =>
  forUsers((actor) => roles.includes(actor.role) && !actor.mustAddFactor);

/**
 * Checks a permission; the first line of every query and command.
 * @throws Unauthenticated for a visitor, Forbidden for a user without the permission
 */
export function authorize(ctx: Ctx, permission: Permission): void {
  if (ctx.actor.kind === 'system' || permission(ctx.actor)) return;
  throw ctx.actor.kind === 'visitor' ? new Unauthenticated() : new Forbidden();
}

/**
 * The signed-in user, if the permission is granted.
 * @throws Unauthenticated, Forbidden
 */
export function authorizedUser(ctx: Ctx, permission: Permission = signedIn): UserActor {
  authorize(ctx, permission);
  if (ctx.actor.kind !== 'user') throw new Unauthenticated();
  return ctx.actor;
}

/** The actor as a seller, suspended or not; null for everyone else, also for a seller without a seller record. */
export function sellerOf(actor: Actor): SellerActor | null {
  if (actor.kind !== 'user') return null;
  const { agentId } = actor;
  return agentId === null ? null : { ...actor, agentId };
}

/**
 * The signed-in seller, if the permission is granted.
 * @throws Unauthenticated, Forbidden
 */
export function authorizedSeller(ctx: Ctx, permission: Permission): SellerActor {
  const seller = sellerOf(authorizedUser(ctx, permission));
  if (seller === null) throw new Forbidden();
  return seller;
}
