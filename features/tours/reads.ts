import { sql } from 'kysely';
import type { ListingDetail } from '#features/listings/model.ts';
import { listingDetail } from '#features/listings/reads.ts';
import { authorize, authorizedSeller, authorizedUser } from '#platform/access.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { Forbidden, NotFound } from '#platform/errors.ts';
import { isBlocked } from './is-blocked.ts';
import { calendarFor } from './mails.ts';
import {
  type OwnTours,
  openStatuses,
  type TourHours,
  type TourOffer,
  type TourSide,
  type TourView,
} from './model.ts';
import { offeredDays, readHours } from './offered-days.ts';
import { ownTour, readTours, type Tour } from './parties.ts';
import { actionsFor, mayHaveHours, mayHaveTours, maySeeTimes, requestRefusal } from './rules.ts';
import { momentIn, zoneNameOf } from './wall-clock.ts';

/** Tours on the page that are no longer open. */
const PAST_SHOWN = 30;

type TourOfferResult = { ok: true; offer: TourOffer } | { ok: false; status: 404 | 410 };

/** When a listing can be toured, for whoever may see its page, and why the viewer cannot ask if they cannot. */
export async function tourOffer(ctx: Ctx, propertyId: string): Promise<TourOfferResult> {
  authorize(ctx, maySeeTimes);
  const found = await listingDetail(ctx, propertyId);
  if (!found.ok) return found;
  const { id, address, town, seller } = found.listing;
  const { actor } = ctx;
  const user = actor.kind === 'user' ? actor : null;
  const [{ days, zone }, [open], blocked] = await Promise.all([
    offeredDays(ctx, id, seller.id),
    user
      ? readTours(ctx, (tours) =>
          tours.and([
            tours('tours.property_id', '=', id),
            tours('tours.buyer_id', '=', user.id),
            tours('tours.status', 'in', openStatuses),
            tours('tours.starts_at', '>', ctx.now()),
          ]),
        )
      : [],
    user ? isBlocked(ctx, user.id, seller.userId) : false,
  ]);
  const refusal = requestRefusal(actor, found.listing) ?? (blocked ? 'blocked' : null);
  return {
    ok: true,
    offer: {
      listing: { id, address, town },
      zoneName: zoneNameOf(zone, ctx.now()),
      // What cannot be asked for is not offered.
      days: refusal ? [] : days,
      refusal,
      open: open ? { status: open.status, when: momentIn(open.startsAt, open.zone) } : null,
      signedIn: user !== null,
    },
  };
}

/**
 * Whether a listing's page leads to where tours are asked for: its seller shows properties, and the viewer is a buyer or may yet
 * sign in as one. For sellers and administrators, who can ask for none, there is no such link.
 */
export async function offersTours(
  ctx: Ctx,
  listing: Pick<ListingDetail, 'status' | 'seller'>,
): Promise<boolean> {
  authorize(ctx, maySeeTimes);
  const refusal = requestRefusal(ctx.actor, listing);
  if (refusal !== null && refusal !== 'account_suspended') return false;
  const { rows } = await sql<{ offers: boolean }>`select
    exists (select from tour_hours where agent_id = ${listing.seller.id})
    or exists (select from tour_days where agent_id = ${listing.seller.id} and starts is not null
      and day >= ${ctx.now()}::date) as offers`.execute(ctx.db.q());
  return rows[0]?.offers ?? false;
}

/**
 * The user's tours of one side: those that are open, the next first, and the last 30 of the others.
 * @throws Unauthenticated; Forbidden for the seller side without a seller record
 */
export async function ownTours(ctx: Ctx, { side }: { side: TourSide }): Promise<OwnTours> {
  const user = authorizedUser(ctx, mayHaveTours);
  const { agentId } = user;
  if (side === 'seller' && (user.role !== 'agent' || agentId === null)) throw new Forbidden();
  const read = (open: boolean) =>
    readTours(
      ctx,
      (tours) =>
        tours.and([
          side === 'seller' ? tours('tours.agent_id', '=', agentId) : tours('tours.buyer_id', '=', user.id),
          tours('tours.status', open ? 'in' : 'not in', openStatuses),
        ]),
      open ? {} : { latestFirst: true, limit: PAST_SHOWN + 1 },
    );
  const [open, past] = await Promise.all([read(true), read(false)]);
  const view = (tour: Tour) => viewOf(ctx, user, side, tour);
  return {
    side,
    open: open.map(view),
    past: past.slice(0, PAST_SHOWN).map(view),
    more: past.length > PAST_SHOWN,
  };
}

function viewOf(ctx: Ctx, user: UserActor, side: TourSide, tour: Tour): TourView {
  const { property } = tour;
  const ahead = tour.startsAt > ctx.now();
  const possible = ahead && !user.suspended ? actionsFor(side, tour.status) : [];
  return {
    id: tour.id,
    side,
    status: tour.status,
    endedBy: tour.endedBy,
    startsAt: tour.startsAt.toISOString(),
    when: momentIn(tour.startsAt, tour.zone),
    property: {
      id: property.id,
      address: property.address,
      town: property.town,
      canOpen: property.isPublic || side === 'seller',
    },
    other: side === 'buyer' ? tour.seller.name : tour.buyer.name,
    note: tour.note,
    answer: tour.answer,
    sequence: tour.sequence,
    actions: property.canBeToured
      ? possible
      : possible.filter((action) => action === 'cancel' || action === 'decline'),
    hasFile: tour.inCalendars && tour.status === 'confirmed',
    zoneName: zoneNameOf(tour.zone, tour.startsAt),
  };
}

/**
 * When the seller shows properties, with the days from yesterday on.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function tourHours(ctx: Ctx): Promise<TourHours> {
  const seller = authorizedSeller(ctx, mayHaveHours);
  const yesterday = new Date(ctx.now().getTime() - DAY).toISOString().slice(0, 10);
  return readHours(ctx, seller.agentId, yesterday);
}

/**
 * The calendar file of a confirmed tour, for one of its parties.
 * @throws Unauthenticated; NotFound for a tour of others, and for one that is not confirmed
 */
export async function tourFile(ctx: Ctx, tourId: string): Promise<string> {
  const user = authorizedUser(ctx, mayHaveTours);
  const { tour, side } = await ownTour(ctx, user, tourId);
  if (tour.status !== 'confirmed') throw new NotFound('Tour not found');
  return calendarFor(ctx, tour, side, 'REQUEST');
}
