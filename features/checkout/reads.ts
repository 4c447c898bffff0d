import type { ListingDetail } from '#features/listings/model.ts';
import { isTestMode } from '#features/sales/rules.ts';
import { partsReceived } from '#features/sales/sale-details.ts';
import { type SaleRow, stateOf } from '#features/sales/sale-row.ts';
import { inquiryOf } from '#features/sales/sql.ts';
import { documentsDueDays, isTestBuyer } from '#features/settings/reads.ts';
import { paymentMethods } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { cached } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { liveSale } from './live-sale.ts';
import type { OwnPurchase, PurchasePanel } from './model.ts';
import { limitsOf, providersByMethod } from './payment-methods.ts';
import {
  listingRefusal,
  maySeePanel,
  panelRefusalMessages,
  planPaymentMethods,
  purchaseRefusal,
} from './rules.ts';

/** What the purchase panel of a property shows to the viewer; `totalCents` includes the buyer's fees. */
export async function purchasePanel(
  ctx: CtxWith<'payments'>,
  { listing, totalCents }: { listing: Pick<ListingDetail, 'id' | 'status' | 'seller'>; totalCents: number },
): Promise<PurchasePanel> {
  authorize(ctx, maySeePanel);
  const providers = providersByMethod(ctx.payments, totalCents);
  const plan = planPaymentMethods(totalCents, limitsOf(providers));
  const live = await liveSale(ctx, listing.id);
  const user = ctx.actor.kind === 'user' ? ctx.actor : null;
  const own: OwnPurchase | null =
    live && live.buyer_id === user?.id
      ? {
          saleId: live.id,
          payment: stateOf(live).payment,
          escrow: stateOf(live).escrow,
          method: live.payment_method,
          testMode: isTestMode(ctx.config, live),
          url: live.checkout_url,
          until: live.locked_until?.toISOString() ?? null,
          parts: await partsReceived(ctx, live),
          inquiryId: await inquiryIdOf(ctx, live),
        }
      : null;
  // Visitors see only refusals that hold for everybody; they are asked to sign in when they press the button.
  const refusal = user ? purchaseRefusal(ctx.actor, listing) : listingRefusal(listing);
  const testMethods = paymentMethods.filter((method) => {
    const port = providers[method];
    return port !== null && isTestMode(ctx.config, port);
  });
  const testRefused = user !== null && testMethods.length > 0 && !(await isTestBuyer(ctx));
  const held = live && !own && listing.status === 'Active' ? live : null;
  const methods = plan.map(({ method, reason, hint }) => ({
    method,
    reason: testRefused && testMethods.includes(method) ? panelRefusalMessages.test_mode : reason,
    hint,
    sandbox: providers[method]?.provider.startsWith('sandbox') ?? false,
    testMode: testMethods.includes(method),
  }));
  const refused = refusal && !own ? panelRefusalMessages[refusal] : null;
  return {
    methods: methods.toSorted((a, b) => Number(a.reason !== null) - Number(b.reason !== null)),
    own,
    heldUntil: held?.locked_until?.toISOString() ?? null,
    refused,
    canPay: own ? own.payment === 'pending' : refused === null && held === null,
    signedIn: user !== null,
    documentsDueDays: await cached(ctx.db, 'platform_settings', 'documents due', () => documentsDueDays(ctx)),
  };
}

async function inquiryIdOf(ctx: Ctx, sale: SaleRow): Promise<string | null> {
  const { id } = await ctx.db.q().selectNoFrom(inquiryOf(sale).as('id')).executeTakeFirstOrThrow();
  return id;
}
