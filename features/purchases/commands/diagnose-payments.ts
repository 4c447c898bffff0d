import { buyerFees } from '#features/fees/reads.ts';
import { totalCents } from '#features/fees/rules.ts';
import { listingDetail } from '#features/listings/reads.ts';
import { PaymentError, type Payments, type PaymentsPort, type Rail } from '#gateways/payments/port.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { limits, takeTokens } from '#platform/limits.ts';
import type { Diagnosis, DiagnosisCheck } from '../model.ts';
import { limitsOf, modeOf, openRails } from '../rails.ts';
import { dollarsAndCents, mayDiagnose, panelText, planRails, purchaseRefusal } from '../rules.ts';

const KEPT_MS = 60_000;
const DAY_MS = 86_400_000;
const MOST_SKEW_MS = 60_000;
const reachable = new WeakMap<PaymentsPort, { at: number; check: Promise<DiagnosisCheck> }>();

/**
 * Looks at everything that a payment of a property by this person needs, one check each (B-080). Says nothing about keys and
 * accounts but whether they are there.
 * @throws Unauthenticated; TooManyRequests (5 a minute)
 */
export async function diagnosePayments(
  ctx: Ctx,
  { rail, propertyId }: { rail: Rail; propertyId: string },
  payments: Payments,
): Promise<Diagnosis> {
  const user = authorizedUser(ctx, mayDiagnose);
  await takeTokens(ctx, limits.diagnostics, user.id);
  const rails = openRails(payments);
  const port = rails[rail];
  const checks = [
    { name: 'Signed in', ok: true, detail: user.emailVerified ? 'yes' : 'yes, e-mail address not confirmed' },
    ...(await aboutProperty(ctx, propertyId, rail, limitsOf(rails))),
    port
      ? { name: 'Keys configured', ok: true, detail: `yes, ${modeOf(port)} mode` }
      : { name: 'Keys configured', ok: false, detail: 'no' },
    ...(port ? [await isReachable(port), await messagesArrive(ctx, port)] : []),
    await clockAgrees(ctx),
  ];
  return { ok: checks.every(({ ok }) => ok), at: ctx.now().toISOString(), checks };
}

async function aboutProperty(
  ctx: Ctx,
  propertyId: string,
  rail: Rail,
  railLimits: ReturnType<typeof limitsOf>,
): Promise<DiagnosisCheck[]> {
  const found = await listingDetail(ctx, propertyId);
  if (!found.ok) return [{ name: 'Property purchasable', ok: false, detail: 'Property not found' }];
  const refusal = purchaseRefusal(ctx.actor, found.listing);
  const total = totalCents(found.listing.baseCents, await buyerFees(ctx));
  const reason = planRails(total, railLimits).find((plan) => plan.rail === rail)?.reason ?? null;
  return [
    { name: 'Property purchasable', ok: refusal === null, detail: refusal ? panelText[refusal] : 'yes' },
    { name: 'Amount inside the limits', ok: reason === null, detail: reason ?? dollarsAndCents(total) },
  ];
}

/** Asked at most once a minute, whoever wants to know. */
function isReachable(port: PaymentsPort): Promise<DiagnosisCheck> {
  const kept = reachable.get(port);
  if (kept && performance.now() - kept.at < KEPT_MS) return kept.check;
  const check = port.check().then(
    () => ({ name: 'Provider reachable', ok: true, detail: 'yes' }),
    (error: unknown) => {
      if (!(error instanceof PaymentError)) throw error;
      const detail = error.code === 'auth' ? 'it does not accept our keys' : 'it does not answer';
      return { name: 'Provider reachable', ok: false, detail };
    },
  );
  reachable.set(port, { at: performance.now(), check });
  check.catch(() => reachable.delete(port));
  return check;
}

/** None for a day is a fault only where checkouts were paid or ended meanwhile. */
async function messagesArrive(ctx: Ctx, { provider }: PaymentsPort): Promise<DiagnosisCheck> {
  const q = ctx.db.q();
  const since = new Date(ctx.now().getTime() - DAY_MS);
  const last = await q
    .selectFrom('provider_events')
    .select('received_at')
    .where('provider', '=', provider)
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

/** Signatures carry a time: a clock that is off refuses them. */
async function clockAgrees(ctx: Ctx): Promise<DiagnosisCheck> {
  const { now } = await ctx.db
    .q()
    .selectNoFrom((no) => no.fn<Date>('clock_timestamp').as('now'))
    .executeTakeFirstOrThrow();
  const skew = Math.abs(now.getTime() - Date.now());
  return {
    name: 'Clock',
    ok: skew < MOST_SKEW_MS,
    detail: skew < MOST_SKEW_MS ? 'agrees with the database' : `${Math.round(skew / 1000)} seconds off`,
  };
}
