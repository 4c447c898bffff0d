import { type ExpressionBuilder, sql } from 'kysely';
import { townLine } from '#features/listings/display.ts';
import { isPubliclyVisible } from '#features/listings/sql.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import type { TourSide, TourStatus } from './model.ts';

interface Party {
  name: string;
  email: string;
}

/** A tour with its parties and its property. */
export interface Tour {
  id: string;
  startsAt: Date;
  zone: string;
  status: TourStatus;
  endedBy: TourSide | 'system' | null;
  note: string;
  answer: string;
  sequence: number;
  /** the parties were sent a file that enters it into their calendars */
  inCalendars: boolean;
  changedAt: Date;
  property: { id: string; address: string; town: string; isPublic: boolean; canBeToured: boolean };
  buyer: Party & { id: string; verified: boolean };
  /** `userId` is null for a seller without an account */
  seller: Party & { agentId: string; userId: string | null };
}

type Where = (tours: ExpressionBuilder<DB, 'tours'>) => ReturnType<ExpressionBuilder<DB, 'tours'>['and']>;

/** The tours that a condition selects, in one statement; in the order of their times, the last first if asked for. */
export async function readTours(
  ctx: Ctx,
  where: Where,
  { latestFirst = false, limit = 200 }: { latestFirst?: boolean; limit?: number } = {},
): Promise<Tour[]> {
  const direction = latestFirst ? 'desc' : 'asc';
  const rows = await ctx.db
    .q()
    .selectFrom('tours')
    .innerJoin('properties as p', 'p.id', 'tours.property_id')
    .innerJoin('agents as a', 'a.id', 'tours.agent_id')
    .innerJoin('users as b', 'b.id', 'tours.buyer_id')
    .selectAll('tours')
    .select(['p.address', 'p.city', 'p.state', 'p.zip', isPubliclyVisible('p').as('seen')])
    // Only what is for sale by this seller, who may have given it away, can be toured.
    .select(sql<boolean>`(p.is_public and p.status = 'Active' and p.agent_id = tours.agent_id)`.as('current'))
    .select(['b.name as buyer_name', 'b.email as buyer_email', 'b.email_verified'])
    .select(['a.name as seller_name', 'a.email as seller_email', 'a.user_id as seller_user_id'])
    .where((tours) => where(tours as unknown as ExpressionBuilder<DB, 'tours'>))
    .orderBy('tours.starts_at', direction)
    .orderBy('tours.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    startsAt: row.starts_at,
    zone: row.time_zone,
    status: row.status,
    endedBy: row.ended_by,
    note: row.note,
    answer: row.answer,
    sequence: row.sequence,
    inCalendars: row.in_calendars,
    changedAt: row.changed_at,
    property: {
      id: row.property_id,
      address: row.address,
      town: townLine(row),
      isPublic: row.seen,
      canBeToured: row.current,
    },
    buyer: {
      id: row.buyer_id,
      name: row.buyer_name,
      email: row.buyer_email,
      verified: row.email_verified,
    },
    seller: {
      agentId: row.agent_id,
      userId: row.seller_user_id,
      name: row.seller_name,
      email: row.seller_email,
    },
  }));
}

/** The side on which a user takes part in a tour; null for everyone else. */
export function sideOf(user: UserActor, tour: Pick<Tour, 'buyer' | 'seller'>): TourSide | null {
  if (user.id === tour.buyer.id) return 'buyer';
  return user.role === 'agent' && user.agentId === tour.seller.agentId ? 'seller' : null;
}

/**
 * A tour in which the user takes part.
 * @throws NotFound for any other, so that ids cannot be probed
 */
export async function ownTour(
  ctx: Ctx,
  user: UserActor,
  id: string,
): Promise<{ tour: Tour; side: TourSide }> {
  const [tour] = isUuid(id) ? await readTours(ctx, (tours) => tours.and([tours('tours.id', '=', id)])) : [];
  const side = tour && sideOf(user, tour);
  if (!side) throw new NotFound('Tour not found');
  return { tour, side };
}
