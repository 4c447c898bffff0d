import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { lockManagedSeller } from '../lock-managed.ts';
import { INVALID_PHONE, parsePhone } from '../phone.ts';
import { mayManageSellers } from '../rules.ts';

interface PhoneInput {
  sellerId: string;
  /** as typed; empty removes it */
  phone: string;
  /** the number that the administrator saw, in the form in which it is stored; empty for none */
  seen: string;
}

type SetPhoneResult =
  | { ok: true; phone: string | null }
  | { ok: false; reason: 'invalid'; error: string }
  /** another administrator has changed it meanwhile */
  | { ok: false; reason: 'changed' };

/**
 * Sets or removes a seller's phone number; it is stored as E.164.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function setSellerPhone(
  ctx: Ctx,
  { sellerId, phone: typed, seen }: PhoneInput,
): Promise<SetPhoneResult> {
  authorize(ctx, mayManageSellers);
  const phone = parsePhone(typed);
  if (phone === undefined) return { ok: false, reason: 'invalid', error: INVALID_PHONE };
  return ctx.db.tx(async (): Promise<SetPhoneResult> => {
    const seller = await lockManagedSeller(ctx, sellerId);
    if (seller.phone === phone) return { ok: true, phone };
    if ((seller.phone ?? '') !== seen) return { ok: false, reason: 'changed' };
    await ctx.db.q().updateTable('agents').set({ phone }).where('id', '=', seller.id).execute();
    await audit(ctx, {
      action: 'seller.set_phone',
      entity: 'agent',
      entityId: seller.id,
      before: { phone: seller.phone },
      after: { phone },
    });
    return { ok: true, phone };
  });
}
