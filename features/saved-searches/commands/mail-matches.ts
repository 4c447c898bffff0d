import { type RawBuilder, sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMatchMail, type Recipient } from '../mails.ts';
import type { Cadence } from '../model.ts';
import { mayMatchListings } from '../rules.ts';

const BATCH_SIZE = 500;

/**
 * Mails the waiting matches of saved searches: one mail per user, and each listing once per user, however many
 * searches it matches. For users who have unsubscribed, the waiting matches are discarded. Instant searches are mailed
 * now, daily ones once the user's digest hour has passed. Safe to repeat.
 * @returns how many mails were queued
 * @throws Unauthenticated, Forbidden for everyone but jobs and the command line
 */
export async function mailMatches(ctx: Ctx, { cadence }: { cadence: Cadence }): Promise<number> {
  authorize(ctx, mayMatchListings);
  // By the reader's own clock.
  const due = (matchedAt: RawBuilder<Date>) =>
    cadence === 'instant'
      ? sql<boolean>`true`
      : sql<boolean>`${matchedAt} < last_digest_of(s.user_id, ${ctx.now()})`;
  let mails = 0;
  for (;;) {
    const { rows } = await sql<{ user_id: string }>`select s.user_id from saved_search_matches m
      join saved_searches s on s.id = m.search_id where m.mail = ${sql.lit(cadence)}
      group by s.user_id having ${due(sql`min(m.matched_at)`)} limit ${BATCH_SIZE}`.execute(ctx.db.q());
    for (const { user_id } of rows)
      if (await mailUser(ctx, user_id, cadence, due(sql`m.matched_at`))) mails += 1;
    if (rows.length < BATCH_SIZE) return mails;
  }
}

/** Mails one user; returns whether a mail was queued. */
const mailUser = (ctx: Ctx, userId: string, cadence: Cadence, due: RawBuilder<boolean>): Promise<boolean> =>
  ctx.db.tx(async () => {
    const q = ctx.db.q();
    // A concurrent process for the same user waits here and then finds nothing left.
    const { rows: waiting } = await sql<{ search_id: string; property_id: string }>`
      select m.search_id, m.property_id from saved_search_matches m
      join saved_searches s on s.id = m.search_id where s.user_id = ${userId} and m.mail = ${sql.lit(cadence)} and ${due} order by m.search_id, m.property_id
      for update of m`.execute(q);
    if (waiting.length === 0) return false;
    const { rows } = await sql<Recipient & { wanted: boolean }>`
      select u.id, u.email, u.name, p.role, u.closed_at is null and coalesce(n.mail_saved_searches, true) as wanted
      from users u join profiles p on p.id = u.id
      left join notification_preferences n on n.user_id = u.id where u.id = ${userId}`.execute(q);
    const [recipient] = rows;
    const claimed = recipient?.wanted
      ? await claim(
          ctx,
          userId,
          waiting.map((row) => row.property_id),
        )
      : [];
    await sql`update saved_search_matches m set mail = ${claimed.length > 0 ? 'sent' : 'none'}
      from unnest(${waiting.map((row) => row.search_id)}::uuid[], ${waiting.map((row) => row.property_id)}::uuid[])
        taken (search_id, property_id)
      where m.search_id = taken.search_id and m.property_id = taken.property_id`.execute(q);
    return recipient && claimed.length > 0 ? queueMatchMail(ctx, recipient, claimed) : false;
  });

/** Claims the listings that are still public and were never mailed to the user, and returns them. */
async function claim(ctx: Ctx, userId: string, propertyIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ property_id: string }>`
    insert into saved_search_mails (user_id, property_id, mailed_at)
    select ${userId}, p.id, ${ctx.now()} from properties p where p.id = any(${propertyIds}::uuid[]) and p.is_public
    order by p.id on conflict do nothing returning property_id`.execute(ctx.db.q());
  return rows.map((row) => row.property_id);
}
