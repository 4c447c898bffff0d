import { sql } from 'kysely';
import type { ListingCard } from '#features/listings/model.ts';
import { type CardRow, cardColumns, cardsOf, visibleListing } from '#features/listings/reads.ts';
import { mainPicture } from '#features/listings/sql.ts';
import { anyone, authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';

/** How many similar listings a page shows. */
export const SIMILAR_SHOWN = 6;
/** How many are considered in each direction of price, in the city and in the state. */
const CONSIDERED = 24;
/** A price difference of this share counts as much as this distance. */
const PRICE_SHARE = 0.2;
const DISTANCE_KM = 15;

/**
 * Public listings that are like another one, most alike first, at most six: of its type, between half and twice its price,
 * ranked by price difference and distance together. Those of its city come first; where there are fewer than six, those of its
 * state fill up. Both are read in the order of prices along the partial indexes properties_similar_…, so that no more of
 * a large place is read than is considered.
 * @throws NotFound when the actor may not see its page
 */
export async function similarListings(ctx: Ctx, propertyId: string): Promise<ListingCard[]> {
  authorize(ctx, anyone);
  const subject = await visibleListing(ctx, propertyId);
  const { latitude, longitude } = subject;
  const price = subject.price_cents;
  const type = subject.type_id === null ? sql`c.type_id is null` : sql`c.type_id = ${subject.type_id}`;
  const inState = sql`lower(c.state) = ${subject.state.toLowerCase()}`;
  const inCity = sql`${inState} and lower(c.city) = ${subject.city.toLowerCase()}`;
  const nearest = (place: typeof inState, rank: number) => sql`
    (select c.id, c.price_cents, c.latitude, c.longitude, ${sql.lit(rank)} as place from properties c
      where c.is_public and ${type} and ${place} and c.price_cents between ${price} and ${price * 2} and c.id <> ${subject.id}
      order by c.price_cents, c.id limit ${CONSIDERED})
    union all
    (select c.id, c.price_cents, c.latitude, c.longitude, ${sql.lit(rank)} from properties c
      where c.is_public and ${type} and ${place} and c.price_cents between ${Math.ceil(price / 2)} and ${price - 1}
        and c.id <> ${subject.id}
      order by c.price_cents desc, c.id desc limit ${CONSIDERED})`;
  // One degree of latitude is 111.2 km. A listing without coordinates counts as one at that distance.
  const distance = sql`coalesce(111.2 * sqrt(power(n.latitude - ${latitude}::float8, 2)
      + power((n.longitude - ${longitude}::float8) * cos(radians(${latitude}::float8)), 2)), ${DISTANCE_KM}::float8)`;
  const { rows } = await sql<{ id: string }>`
    select n.id from (select distinct on (id) * from (${nearest(inCity, 1)} union all ${nearest(inState, 2)}) both_places
        order by id, place) n
      order by n.place, abs(n.price_cents - ${price}::bigint) / (${price}::float8 * ${PRICE_SHARE}::float8) + ${distance} / ${DISTANCE_KM}::float8, n.id
      limit ${SIMILAR_SHOWN}`.execute(ctx.db.replica());
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const cards: CardRow[] = await ctx.db
    .replica()
    .selectFrom('properties')
    .select(cardColumns)
    .select(mainPicture().as('picture'))
    .where('id', 'in', ids)
    .execute();
  cards.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  return cardsOf(ctx, cards);
}
