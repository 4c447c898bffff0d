import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { SuspensionResult } from '../model.ts';
import { mayManageBuyers } from '../rules.ts';
import { setSuspension } from '../set-suspension.ts';

/**
 * Ends the suspension of a buyer, and mails them that. The reason is for the record alone.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound for what is no buyer
 */
export async function reinstateBuyer(
  ctx: Ctx,
  input: { buyerId: string; reason: string },
): Promise<SuspensionResult> {
  authorize(ctx, mayManageBuyers);
  return setSuspension(ctx, { ...input, suspended: false });
}
