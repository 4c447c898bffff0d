import { sql } from 'kysely';
import { isPubliclyVisible } from '#features/listings/sql.ts';
import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { pageKey, readPageKey } from '#platform/db/page-key.ts';
import type { NotificationPage, NotificationPreferences, Topic } from './model.ts';
import {
  DEFAULT_PREFERENCES,
  mayManageOwnNotifications,
  mayUnsubscribe,
  priceDirection,
  priceLabel,
} from './rules.ts';
import { readUnsubscribeToken } from './unsubscribe-token.ts';

const PAGE = 30;

/**
 * The user's notifications about watched properties, newest first, 30 a page.
 * @throws Unauthenticated; BadRequest for an invalid cursor
 */
export async function notificationList(
  ctx: Ctx,
  { before }: { before?: string | null | undefined } = {},
): Promise<NotificationPage> {
  const user = authorizedUser(ctx, mayManageOwnNotifications);
  const key = readPageKey(before);
  const [rows, unread] = await Promise.all([
    ctx.db
      .q()
      .selectFrom('property_notifications as n')
      .innerJoin('properties as p', 'p.id', 'n.property_id')
      .select([
        'n.id',
        'n.notification_type',
        'n.property_id',
        'n.message',
        'n.previous_value',
        'n.new_value',
        'n.price_with_fees',
      ])
      .select(['n.is_read', 'n.created_at', 'p.address'])
      .select(isPubliclyVisible('p').as('seen'))
      .select(pageKey(sql`n.created_at`, sql`n.id`).as('key'))
      .where('n.user_id', '=', user.id)
      .$if(key !== null, (q) =>
        q.where(
          sql<boolean>`n.created_at <= ${key?.at}::timestamptz and
            (n.created_at < ${key?.at}::timestamptz or n.id > ${key?.id}::uuid)`,
        ),
      )
      .orderBy('n.created_at', 'desc')
      .orderBy('n.id')
      .limit(PAGE + 1)
      .execute(),
    unreadNotifications(ctx),
  ]);
  const page = rows.slice(0, PAGE);
  return {
    rows: page.map((row) => ({
      id: row.id,
      type: row.notification_type,
      direction:
        row.notification_type === 'price_change' ? priceDirection(row.previous_value, row.new_value) : null,
      propertyId: row.property_id,
      address: row.address,
      canOpen: row.seen || row.notification_type === 'tour',
      message: row.message,
      previousValue: row.previous_value,
      newValue: row.new_value,
      priceLabel: priceLabel(row.notification_type, row.price_with_fees),
      isRead: row.is_read,
      at: row.created_at.toISOString(),
    })),
    unread,
    before: rows.length > PAGE ? (page.at(-1)?.key ?? null) : null,
  };
}

/**
 * Number of the user's unread notifications.
 * @throws Unauthenticated
 */
export async function unreadNotifications(ctx: Ctx): Promise<number> {
  const user = authorizedUser(ctx, mayManageOwnNotifications);
  const { unread } = await ctx.db
    .q()
    .selectFrom('property_notifications')
    .select((count) => count.fn.countAll<number>().as('unread'))
    .where('user_id', '=', user.id)
    .where('is_read', '=', false)
    .executeTakeFirstOrThrow();
  return unread;
}

/**
 * The user's mail preferences, or the defaults.
 * @throws Unauthenticated
 */
export async function notificationPreferences(ctx: Ctx): Promise<NotificationPreferences> {
  const user = authorizedUser(ctx, mayManageOwnNotifications);
  const row = await ctx.db
    .q()
    .selectFrom('notification_preferences')
    .selectAll()
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  const { time_zone: seen } = await ctx.db
    .q()
    .selectFrom('profiles')
    .select('time_zone')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  const timeZone = row?.time_zone ?? seen ?? DEFAULT_PREFERENCES.timeZone;
  if (!row) return { ...DEFAULT_PREFERENCES, timeZone };
  return {
    timeZone,
    mailPropertyUpdates: row.mail_property_updates,
    mailMessages: row.mail_messages,
    mailSavedSearches: row.mail_saved_searches,
    digestHour: row.digest_hour,
  };
}

/** The topic that an unsubscribe link is for, shown on its confirmation page; null for an invalid link. */
export function topicOfToken(ctx: Ctx, token: string): Topic | null {
  authorize(ctx, mayUnsubscribe);
  return readUnsubscribeToken(ctx.config, token)?.topic ?? null;
}
