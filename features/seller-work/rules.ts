import { type Permission, sellerOf } from '#platform/access.ts';
import type { SellerWork } from './model.ts';

/** Sellers see what waits for themselves, also suspended ones, whose sales continue. */
export const maySeeOwnWork: Permission = (actor) => sellerOf(actor) !== null;

/** Whether nothing waits. */
export const isNothing = ({ replies, sales, sentBack, payouts }: SellerWork): boolean =>
  replies === null && sales.total === 0 && sentBack.total === 0 && payouts === null;
