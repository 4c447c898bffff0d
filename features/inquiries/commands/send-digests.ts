import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx, Role } from '#platform/context.ts';
import { tryLock } from '#platform/db/locks.ts';
import { type DigestThread, mailDigest } from '../mails.ts';
import { maySendDigests } from '../rules.ts';

/** Recipients per transaction. */
const BATCH = 100;

interface Digest {
  id: string;
  name: string;
  email: string;
  role: Role;
  wanted: boolean;
  threads: DigestThread[];
}

/**
 * Mails every recipient whose digest hour has passed, by their own clock, since a message was held back for it: one mail with all that
 * is still unread. The next run makes up for a missed hour. Safe to repeat; a lock keeps concurrent processes out.
 * @returns how many mails were queued
 */
export async function sendDigests(ctx: Ctx): Promise<number> {
  authorize(ctx, maySendDigests);
  for (let sent = 0; ; ) {
    const { recipients, mails } = await ctx.db.tx(async () => {
      const digests = (await tryLock(ctx, 'messages.digest')) ? await takeDigests(ctx) : [];
      const due = digests.filter(({ wanted, threads }) => wanted && threads.length > 0);
      for (const digest of due) await mailDigest(ctx, digest, digest.threads);
      return { recipients: digests.length, mails: due.length };
    });
    sent += mails;
    if (recipients === 0) return sent;
  }
}

/** Claims the waiting messages of a batch of recipients whose hour has come. */
async function takeDigests(ctx: Ctx): Promise<Digest[]> {
  const { rows } = await sql<Digest>`
    with waiting as (
      select m.id, m.inquiry_id, m.sender_id, m.created_at, i.user_id as buyer_id, p.address, a.name as seller_name,
        case when m.sender_id = i.user_id then a.user_id else i.user_id end as reader_id
      from inquiry_messages m
      join property_inquiries i on i.id = m.inquiry_id
      join properties p on p.id = i.property_id
      join agents a on a.id = p.agent_id
      where m.awaits_digest
    ), due as (
      select w.*, coalesce(n.mail_messages, true) as wanted
      from waiting w left join notification_preferences n on n.user_id = w.reader_id
    ), readers as (
      select reader_id, wanted from due where reader_id is not null
      group by reader_id, wanted having min(created_at) < last_digest_of(reader_id, ${ctx.now()}) limit ${BATCH}
    ), taken as (
      update inquiry_messages m set awaits_digest = false
      where m.id in (select l.id from inquiry_messages l where l.id in
        (select d.id from due d join readers r on r.reader_id = d.reader_id)
        order by l.id for update skip locked)
      returning m.id, m.is_read
    ), threads as (
      select d.reader_id, d.inquiry_id, max(d.created_at) as newest_at, count(*) as count,
        (array_agg(d.id order by d.created_at desc, d.id))[1] as message, min(d.address) as address,
        case when d.reader_id = d.buyer_id then 'buyer' else 'seller' end as side,
        case when d.reader_id = d.buyer_id then min(d.seller_name) else min(b.name) end as writer
      from taken t join due d on d.id = t.id join users b on b.id = d.buyer_id
      where not t.is_read group by d.reader_id, d.inquiry_id, d.buyer_id
    )
    select r.reader_id as id, u.name, u.email, p.role, r.wanted,
      coalesce((select json_agg(json_build_object('inquiry', h.inquiry_id, 'message', h.message, 'address', h.address,
          'writer', h.writer, 'count', h.count, 'side', h.side) order by h.newest_at desc, h.inquiry_id)
        from threads h where h.reader_id = r.reader_id), '[]') as threads
    from readers r join users u on u.id = r.reader_id join profiles p on p.id = u.id
    where r.reader_id in (select d.reader_id from taken t join due d on d.id = t.id)`.execute(ctx.db.q());
  return rows;
}
