import { visibleListing } from '#features/listings/reads.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { visibleText } from '#platform/typed-text.ts';
import { uuidOf } from '#platform/uuid-of.ts';
import { announce } from '../announce.ts';
import { isBlocked } from '../is-blocked.ts';
import { tourLimits } from '../limits.ts';
import { NOTE_LIMIT, OPEN_LIMIT, openStatuses, type RequestRefusal, type RequestResult } from '../model.ts';
import { offeredDays } from '../offered-days.ts';
import { readTours } from '../parties.ts';
import { mayAsk, requestRefusal } from '../rules.ts';
import { settleTours } from '../settle-tours.ts';

interface TourRequest {
  propertyId: string;
  /** one of the free times, an instant in ISO 8601 */
  startsAt: string;
  note: string;
  /** idempotency key of the form, so that sending it twice asks once; for another property or time it asks anew */
  key: string;
}

/**
 * Asks for a tour of a listing at one of its seller's free times, which it holds until the seller answers. The seller is notified
 * live, by the bell and by email.
 * @throws Unauthenticated; NotFound for a property this user cannot see; TooManyRequests (5 a minute, 20 a day)
 */
export async function requestTour(ctx: Ctx, input: TourRequest): Promise<RequestResult> {
  const user = authorizedUser(ctx, mayAsk);
  const listing = await visibleListing(ctx, input.propertyId);
  const { id: propertyId, seller } = listing;
  const refusal = requestRefusal(user, listing);
  if (refusal) return refused(refusal);
  const note = visibleText(input.note).trim();
  if (note.length > NOTE_LIMIT) return refused('too_long');
  const at = new Date(input.startsAt);
  if (Number.isNaN(at.getTime())) return refused('no_time');
  const key = uuidOf(JSON.stringify([input.key || ctx.requestId, propertyId, at.toISOString()]));
  const before = await sentWith(ctx, user.id, key);
  if (before) return { ok: true, tourId: before };
  if (await isBlocked(ctx, user.id, seller.userId)) return refused('blocked');
  await takeTokens(ctx, tourLimits.request, user.id);

  // By itself, since it refers to other listings, none of which is taken once the account is held.
  await ctx.db.tx(() => settleTours(ctx, (tours) => tours.and([tours('tours.buyer_id', '=', user.id)])));
  return ctx.db.tx(async (): Promise<RequestResult> => {
    const q = ctx.db.q();
    // The listing, to which the tour refers, before the account, as a purchase takes the two.
    await q.selectFrom('properties').select('id').where('id', '=', propertyId).forKeyShare().execute();
    // Requests of one buyer wait for each other, so that none passes the limit. Who refers to the account does not wait.
    await q.selectFrom('users').select('id').where('id', '=', user.id).forNoKeyUpdate().execute();
    const open = await q
      .selectFrom('tours')
      .select(['property_id', 'starts_at'])
      .where('buyer_id', '=', user.id)
      .where('status', 'in', openStatuses)
      .execute();
    const again = await sentWith(ctx, user.id, key);
    if (again) return { ok: true, tourId: again };
    if (open.some((tour) => tour.property_id === propertyId)) return refused('open');
    if (open.some((tour) => tour.starts_at.getTime() === at.getTime())) return refused('busy');
    if (open.length >= OPEN_LIMIT) return refused('too_many');
    const { days, zone } = await offeredDays(ctx, propertyId, seller.id);
    const offered = days.some(({ times }) => times.some((time) => time.at === at.toISOString()));
    if (!offered) return refused('not_free');
    const created = await q
      .insertInto('tours')
      .values({
        property_id: propertyId,
        agent_id: seller.id,
        buyer_id: user.id,
        starts_at: at,
        time_zone: zone,
        note,
        key,
        created_at: ctx.now(),
        changed_at: ctx.now(),
      })
      // Another buyer took the time in this very moment.
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!created) return refused('not_free');
    await audit(ctx, {
      action: 'tour.request',
      entity: 'tour',
      entityId: created.id,
      after: { property: propertyId, startsAt: at },
    });
    const [tour] = await readTours(ctx, (tours) => tours.and([tours('tours.id', '=', created.id)]));
    if (!tour) throw new Error('The tour is gone');
    await announce(ctx, tour, 'requested', { by: 'buyer' });
    return { ok: true, tourId: created.id };
  });
}

const refused = (reason: RequestRefusal): RequestResult => ({ ok: false, reason });

async function sentWith(ctx: Ctx, buyerId: string, key: string): Promise<string | null> {
  const tour = await ctx.db
    .q()
    .selectFrom('tours')
    .select('id')
    .where('buyer_id', '=', buyerId)
    .where('key', '=', key)
    .executeTakeFirst();
  return tour?.id ?? null;
}
