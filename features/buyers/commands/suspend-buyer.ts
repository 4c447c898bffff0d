import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { SuspensionResult } from '../model.ts';
import { mayManageBuyers } from '../rules.ts';
import { setSuspension } from '../set-suspension.ts';

/**
 * Suspends a buyer for abuse, and mails them the reason: they can sign in and read, and their open purchases continue, but they
 * cannot start purchases, send inquiries or write messages.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound for what is no buyer
 */
export async function suspendBuyer(
  ctx: Ctx,
  input: { buyerId: string; reason: string },
): Promise<SuspensionResult> {
  authorize(ctx, mayManageBuyers);
  return setSuspension(ctx, { ...input, suspended: true });
}
