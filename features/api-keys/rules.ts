import { anyone, hasRole, type Permission, sellerOf } from '#platform/access.ts';

/** Administrators see and revoke every key. */
export const mayReadAllKeys = hasRole('admin');
/** Sellers see their own keys, also while suspended. */
export const mayReadOwnKeys: Permission = (actor) => sellerOf(actor) !== null;
/** Administrators create keys for the market, sellers who may act for their own listings. */
export const mayCreateKeys: Permission = (actor) =>
  mayReadAllKeys(actor) || sellerOf(actor)?.suspended === false;
/** Whoever has a key may revoke it, a suspended seller too. */
export const mayRevokeKeys: Permission = (actor) => mayReadAllKeys(actor) || mayReadOwnKeys(actor);
/** The key itself says who asks; a session adds nothing. */
export const mayUseKeys = anyone;
