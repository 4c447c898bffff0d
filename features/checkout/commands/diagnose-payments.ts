import { buyerFees } from '#features/fees/reads.ts';
import { totalCents } from '#features/fees/rules.ts';
import { listingDetail } from '#features/listings/reads.ts';
import { PaymentError, type PaymentMethod, type PaymentsPort } from '#gateways/payments/port.ts';
import { accountProviderOf } from '#gateways/payments/providers.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY, MINUTE, SECOND } from '#platform/durations.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { checkoutLimits } from '../limits.ts';
import type { Diagnosis, DiagnosisCheck } from '../model.ts';
import { limitsOf, modeOf, providersByMethod } from '../payment-methods.ts';
import { mayDiagnose, panelRefusalMessages, planPaymentMethods, purchaseRefusal } from '../rules.ts';

const CACHE_MS = MINUTE;
const MAX_SKEW_MS = MINUTE;
const reachabilityChecks = new WeakMap<PaymentsPort, { at: number; check: Promise<DiagnosisCheck> }>();

/**
 * Checks everything that is needed for the caller to pay for a property. Of keys and accounts it reveals only whether they
 * are configured.
 * @throws Unauthenticated; TooManyRequests (5 a minute)
 */
export async function diagnosePayments(
  ctx: CtxWith<'payments'>,
  { method, propertyId }: { method: PaymentMethod; propertyId: string },
): Promise<Diagnosis> {
  const user = authorizedUser(ctx, mayDiagnose);
  await takeTokens(ctx, checkoutLimits.diagnose, user.id);
  const { checks: ofProperty, port } = await propertyChecks(ctx, propertyId, method);
  const checks = [
    { name: 'Signed in', ok: true, detail: user.emailVerified ? 'yes' : 'yes, email address not confirmed' },
    ...ofProperty,
    port
      ? { name: 'Keys configured', ok: true, detail: `yes, ${modeOf(port)} mode` }
      : { name: 'Keys configured', ok: false, detail: 'no' },
    ...(port ? [await reachabilityCheck(port), await messagesCheck(ctx, port)] : []),
    await clockCheck(ctx),
  ];
  return { ok: checks.every(({ ok }) => ok), at: ctx.now().toISOString(), checks };
}

/** What there is to say about the property and its price, and the provider that would carry it. */
async function propertyChecks(
  ctx: CtxWith<'payments'>,
  propertyId: string,
  method: PaymentMethod,
): Promise<{ checks: DiagnosisCheck[]; port: PaymentsPort | null }> {
  const found = await listingDetail(ctx, propertyId);
  if (!found.ok) {
    const check = { name: 'Property purchasable', ok: false, detail: 'Property not found' };
    return { checks: [check], port: providersByMethod(ctx.payments)[method] };
  }
  const refusal = purchaseRefusal(ctx.actor, found.listing);
  const total = totalCents(found.listing.baseCents, await buyerFees(ctx));
  const providers = providersByMethod(ctx.payments, total);
  const reason =
    planPaymentMethods(total, limitsOf(providers)).find((plan) => plan.method === method)?.reason ?? null;
  const checks = [
    {
      name: 'Property purchasable',
      ok: refusal === null,
      detail: refusal ? panelRefusalMessages[refusal] : 'yes',
    },
    { name: 'Amount inside the limits', ok: reason === null, detail: reason ?? dollarsAndCents(total) },
  ];
  return { checks, port: providers[method] };
}

/** Asks the provider at most once a minute; the result is shared by all callers. */
function reachabilityCheck(port: PaymentsPort): Promise<DiagnosisCheck> {
  const cached = reachabilityChecks.get(port);
  if (cached && performance.now() - cached.at < CACHE_MS) return cached.check;
  const check = port.check().then(
    () => ({ name: 'Provider reachable', ok: true, detail: 'yes' }),
    (error: unknown) => {
      if (!(error instanceof PaymentError)) throw error;
      const detail = error.code === 'auth' ? 'it does not accept our API keys' : 'it is not responding';
      return { name: 'Provider reachable', ok: false, detail };
    },
  );
  reachabilityChecks.set(port, { at: performance.now(), check });
  check.catch(() => reachabilityChecks.delete(port));
  return check;
}

/** A day without messages is a fault only if payments arrived in that time. */
async function messagesCheck(ctx: Ctx, { provider }: PaymentsPort): Promise<DiagnosisCheck> {
  const q = ctx.db.q();
  const since = new Date(ctx.now().getTime() - DAY);
  const last = await q
    .selectFrom('provider_events')
    .select('received_at')
    .where('provider', '=', accountProviderOf(provider))
    .orderBy('received_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const expected = await q
    .selectFrom('property_sales')
    .select('id')
    .where('provider', '=', provider)
    .where('sale_date', '>', since)
    .limit(1)
    .executeTakeFirst();
  const seen = last !== undefined && last.received_at > since;
  return {
    name: 'Provider messages',
    ok: seen || !expected,
    detail: seen
      ? 'seen within the last 24 hours'
      : expected
        ? 'none within the last 24 hours'
        : 'none expected yet',
  };
}

/** Webhook signatures carry a timestamp: with a wrong clock they would be refused. */
async function clockCheck(ctx: Ctx): Promise<DiagnosisCheck> {
  const { now } = await ctx.db
    .q()
    .selectNoFrom((no) => no.fn<Date>('clock_timestamp').as('now'))
    .executeTakeFirstOrThrow();
  const skew = Math.abs(now.getTime() - Date.now());
  return {
    name: 'Clock',
    ok: skew < MAX_SKEW_MS,
    detail: skew < MAX_SKEW_MS ? 'agrees with the database' : `${Math.round(skew / SECOND)} seconds off`,
  };
}
