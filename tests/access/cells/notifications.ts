import { expect } from 'vitest';
import { markAllNotificationsRead } from '#features/notifications/commands/mark-all-notifications-read.ts';
import { markNotificationRead } from '#features/notifications/commands/mark-notification-read.ts';
import { savePreferences } from '#features/notifications/commands/save-preferences.ts';
import { sendUpdateMails } from '#features/notifications/commands/send-update-mails.ts';
import { unsubscribe } from '#features/notifications/commands/unsubscribe.ts';
import {
  notificationList,
  notificationPreferences,
  topicOfToken,
  unreadNotifications,
} from '#features/notifications/reads.ts';
import { leaveToken } from '#platform/auth/leave-link.ts';
import { testConfig } from '#tests/support/context.ts';
import { type Cells, operation } from '../operation.ts';
import { badId, badIds, closed } from '../sale-rows.ts';
import { systemOf } from '../sales.ts';
import type { Stage } from '../stage.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';

/** Two unread notifications for buyer A and one for seller B, with mails to come; the first of each. */
async function news(stage: Stage): Promise<{ buyerA: string; sellerB: string }> {
  const q = stage.db.q();
  await q.deleteFrom('property_notifications').execute();
  const property_id = await stage.listing('A’s Active');
  const add = async (user_id: string) => {
    const row = await q
      .insertInto('property_notifications')
      .values({
        user_id,
        property_id,
        notification_type: 'status_change',
        message: 'It is now Sold',
        settles_at: new Date(Date.now() - 86_400_000),
        mail_due: true,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  };
  const buyerA = await add(stage.cast.buyerA.id);
  await add(stage.cast.buyerA.id);
  return { buyerA, sellerB: await add(stage.cast.sellerB.id) };
}
const unread = async ({ db }: Stage) =>
  (
    await db.q().selectFrom('property_notifications').select('user_id').where('is_read', '=', false).execute()
  ).map(({ user_id }) => user_id);

const wanted = { mailPropertyUpdates: false, mailMessages: true, mailSavedSearches: true, digestHour: 5 };
const preferencesOf = ({ db }: Stage) =>
  db.q().selectFrom('notification_preferences').select(['user_id', 'digest_hour']).execute();
async function onlySellerBChose(stage: Stage): Promise<void> {
  await stage.db.q().deleteFrom('notification_preferences').execute();
  await stage.db
    .q()
    .insertInto('notification_preferences')
    .values({ user_id: stage.cast.sellerB.id, digest_hour: 22 })
    .execute();
}

/** The token of a row: of buyer A, written for another topic, or none of ours. */
function tokenOf(stage: Stage, row: string): string {
  const token = leaveToken(testConfig, stage.cast.buyerA.id, 'messages');
  if (row === 'of buyer A') return token;
  return row === 'for another topic' ? token.replace('.messages.', '.saved_searches.') : 'nonsense';
}
const tokenRows = (good: string) => `
  ${HEAD}
  of buyer A         ${`${good}  `.repeat(7)}
  for another topic  ${'refused  '.repeat(7)}
  nonsense           ${'refused  '.repeat(7)}
`;

export const cells: Cells = {
  // Each their own alone (S0 §6).
  'reads#notificationList': operation({
    cells: `
      ${HEAD}
      2 for A, 1 for seller B  Unauthenticated  2  0  0  1  0  0
    `,
    prepare: ({ stage }) => news(stage),
    act: (ctx) => notificationList(ctx),
    says: ({ rows }) => String(rows.length),
    changes: () => false,
    holds: (result) => expect(result?.unread ?? 0).toBe(result?.rows.length ?? 0),
  }),
  'reads#unreadNotifications': operation({
    cells: `
      ${HEAD}
      2 for A, 1 for seller B  Unauthenticated  2  0  0  1  0  0
    `,
    prepare: ({ stage }) => news(stage),
    act: (ctx) => unreadNotifications(ctx),
    says: String,
    changes: () => false,
  }),
  'commands/mark-notification-read#markNotificationRead': operation({
    cells: `
      ${HEAD}
      buyer A’s   Unauthenticated  allowed   NotFound  NotFound  NotFound  NotFound  NotFound
      seller B’s  Unauthenticated  NotFound  NotFound  NotFound  allowed   NotFound  NotFound
      ${badIds()}
    `,
    async prepare({ stage, row }) {
      const { buyerA, sellerB } = await news(stage);
      return badId({ row }, buyerA) ?? (row === 'buyer A’s' ? buyerA : sellerB);
    },
    act: (ctx, id) => markNotificationRead(ctx, id),
    async holds(_, id, { stage, word }) {
      const row = await stage.db
        .q()
        .selectFrom('property_notifications')
        .select('id')
        .where('is_read', '=', true)
        .execute();
      expect(row).toEqual(word === 'allowed' ? [{ id }] : []);
    },
  }),
  'commands/mark-all-notifications-read#markAllNotificationsRead': operation({
    cells: `
      ${HEAD}
      2 for A, 1 for seller B  Unauthenticated  2  0  0  1  0  0
    `,
    prepare: ({ stage }) => news(stage),
    act: (ctx) => markAllNotificationsRead(ctx),
    says: String,
    changes: (word) => word !== '0',
    async holds(_, __, { stage, actor }) {
      const { buyerA, sellerB } = stage.cast;
      const own = actor === 'anonymous' ? '' : stage.person(actor).id;
      const others = [buyerA.id, buyerA.id, sellerB.id].filter((id) => id !== own);
      expect((await unread(stage)).sort()).toEqual(others.sort());
    },
  }),

  'reads#notificationPreferences': operation({
    cells: `
      ${HEAD}
      seller B chose 22  Unauthenticated  8  8  8  22  8  8
    `,
    prepare: ({ stage }) => onlySellerBChose(stage),
    act: (ctx) => notificationPreferences(ctx),
    says: ({ digestHour }) => String(digestHour),
    changes: () => false,
  }),
  'commands/save-preferences#savePreferences': operation({
    cells: `
      ${HEAD}
      hour 5   Unauthenticated  allowed  allowed  allowed  allowed  allowed  allowed
      hour 24  Unauthenticated  hour     hour     hour     hour     hour     hour
    `,
    prepare: ({ stage }) => onlySellerBChose(stage),
    act: (ctx, _, { row }) => savePreferences(ctx, { ...wanted, digestHour: row === 'hour 5' ? 5 : 24 }),
    async holds(_, __, { stage, actor, word }) {
      const sellerB = { user_id: stage.cast.sellerB.id, digest_hour: 22 };
      const own = word === 'allowed' ? { user_id: stage.person(actor).id, digest_hour: 5 } : null;
      const expected = [sellerB, own].filter(
        (row) => row !== null && (row === own || row.user_id !== own?.user_id),
      );
      const byUser = (a: { user_id: string } | null, b: { user_id: string } | null) =>
        String(a?.user_id).localeCompare(String(b?.user_id));
      expect((await preferencesOf(stage)).sort(byUser)).toEqual(expected.sort(byUser));
    },
  }),

  // The signature says whose mails are meant, whoever opens the link.
  'reads#topicOfToken': operation({
    cells: tokenRows('messages'),
    act: async (ctx, _, { stage, row }) => topicOfToken(ctx, tokenOf(stage, row)),
    says: (topic) => topic ?? 'refused',
    changes: () => false,
  }),
  'commands/unsubscribe#unsubscribe': operation({
    cells: tokenRows('allowed'),
    prepare: ({ stage }) => onlySellerBChose(stage),
    act: (ctx, _, { stage, row }) => unsubscribe(ctx, tokenOf(stage, row)),
    async holds(_, __, { stage, word }) {
      const off = await stage.db
        .q()
        .selectFrom('notification_preferences')
        .select('user_id')
        .where('mail_messages', '=', false)
        .execute();
      expect(off).toEqual(word === 'allowed' ? [{ user_id: stage.cast.buyerA.id }] : []);
    },
  }),

  // Mails that wait are sent by the clock.
  'commands/send-update-mails#sendUpdateMails': operation({
    cells: closed('what has settled'),
    prepare: ({ stage }) => news(stage),
    act: (ctx) => sendUpdateMails(ctx),
    async holds(_, __, { stage }) {
      expect(await sendUpdateMails({ ...systemOf(stage), now: () => new Date() })).toBe(2);
    },
  }),
};
