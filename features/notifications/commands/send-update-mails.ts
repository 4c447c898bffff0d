import { sql } from 'kysely';
import { layoutMail } from '#features/settings/mails.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx, Role } from '#platform/context.ts';
import { tryLock } from '#platform/db/locks.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { paths } from '#routing/paths.ts';
import { unsubscribeLink } from '../mails.ts';
import type { PropertyNotification } from '../model.ts';
import { maySendMails, priceLabel } from '../rules.ts';

/** Recipients per transaction. */
const BATCH = 100;

interface Update {
  id: string;
  message: string;
  previous_value: string | null;
  new_value: string | null;
  type: PropertyNotification['type'];
  price_with_fees: boolean;
  property_id: string;
}
interface DueMail {
  user_id: string;
  role: Role;
  name: string;
  email: string;
  wanted: boolean;
  updates: Update[];
}

/**
 * Mails the notifications that have settled, one mail per user. Skips those read in the meantime and users who have
 * unsubscribed. Safe to repeat; a lock keeps concurrent processes out.
 * @returns how many mails were queued
 */
export async function sendUpdateMails(ctx: Ctx): Promise<number> {
  authorize(ctx, maySendMails);
  for (let sent = 0; ; ) {
    const { recipients, mails } = await ctx.db.tx(async () => {
      const due = (await tryLock(ctx, 'notifications.mail')) ? await takeDueMails(ctx) : [];
      let queued = 0;
      for (const person of due)
        if (person.wanted && person.updates.length > 0) queued += Number(await mailUpdates(ctx, person));
      return { recipients: due.length, mails: queued };
    });
    sent += mails;
    if (recipients === 0) return sent;
  }
}

/** Claims all settled notifications of a batch of users, and returns the unread ones to mail. */
async function takeDueMails(ctx: Ctx): Promise<DueMail[]> {
  const { rows } = await sql<DueMail>`
    with due as (
      select n.id from property_notifications n where n.mail_due and n.settles_at <= ${ctx.now()}
      and n.user_id in (select distinct user_id from (
        select user_id from property_notifications where mail_due and settles_at <= ${ctx.now()}
        order by settles_at limit ${BATCH}) oldest)
      order by n.id for update skip locked
    ), taken as (
      update property_notifications n set mail_due = false from due where n.id = due.id
      returning n.id, n.user_id, n.property_id, n.message, n.previous_value, n.new_value, n.is_read, n.created_at,
        n.notification_type, n.price_with_fees
    )
    select t.user_id, p.role, u.name, u.email, coalesce(bool_and(w.mail_property_updates), true)
        and bool_and(u.closed_at is null) as wanted,
      coalesce(json_agg(json_build_object('id', t.id, 'message', t.message, 'previous_value', t.previous_value,
        'new_value', t.new_value, 'type', t.notification_type,
        'price_with_fees', t.price_with_fees, 'property_id', t.property_id) order by t.created_at desc, t.id)
        filter (where not t.is_read), '[]') as updates
    from taken t join users u on u.id = t.user_id join profiles p on p.id = u.id
    left join notification_preferences w on w.user_id = t.user_id
    group by t.user_id, p.role, u.name, u.email`.execute(ctx.db.q());
  return rows;
}

async function mailUpdates(ctx: Ctx, { user_id, role, name, email, updates }: DueMail): Promise<boolean> {
  const [first] = updates;
  if (!first) return false;
  const alone = updates.length === 1;
  const heading = alone ? first.message : `${updates.length} updates to properties you watch`;
  const change = ({ previous_value, new_value, type, price_with_fees }: Update) => {
    const label = priceLabel(type, price_with_fees);
    return `${label ? `${label}: ` : ''}${previous_value ?? '–'} → ${new_value ?? '–'}`;
  };
  const unsubscribe = unsubscribeLink(ctx, user_id, 'property_updates');
  return queueMail(ctx, {
    unsubscribeUrl: unsubscribe.url,
    idempotencyKey: `updates:${user_id}:${first.id}`,
    to: { address: email, name },
    subject: heading,
    ...(await layoutMail(ctx, {
      heading,
      paragraphs: alone ? [change(first)] : updates.map((update) => `${update.message}\n${change(update)}`),
      button: alone
        ? { label: 'Open the property', url: ctx.config.publicUrl + paths.property(first.property_id) }
        : {
            label: 'See all updates',
            url: ctx.config.publicUrl + paths.activity(role, { tab: 'notifications' }),
          },
      footer: 'You are receiving this email because you watch a property.',
      footerLink: unsubscribe,
    })),
  });
}
