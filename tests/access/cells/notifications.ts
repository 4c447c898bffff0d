import { expect } from 'vitest';
import { markAllNotificationsRead } from '#features/notifications/commands/mark-all-notifications-read.ts';
import { markNotificationRead } from '#features/notifications/commands/mark-notification-read.ts';
import { rememberTimeZone } from '#features/notifications/commands/remember-time-zone.ts';
import { savePreferences } from '#features/notifications/commands/save-preferences.ts';
import { sendUpdateMails } from '#features/notifications/commands/send-update-mails.ts';
import { unsubscribe } from '#features/notifications/commands/unsubscribe.ts';
import {
  notificationList,
  notificationPreferences,
  topicOfToken,
  unreadNotifications,
} from '#features/notifications/reads.ts';
import { unsubscribeToken } from '#features/notifications/unsubscribe-token.ts';
import { DAY } from '#platform/durations.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { type Cells, operation } from '../support/operation.ts';
import { systemContext } from '../support/sales.ts';
import type { Scenario } from '../support/scenario.ts';
import { badId, badIdRows, systemOnlyRows } from '../support/table-rows.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';

/** Creates two unread notifications for buyer A and one for seller B, with mails due; the first id of each. */
async function createNotifications(scenario: Scenario): Promise<{ buyerA: string; sellerB: string }> {
  const q = scenario.db.q();
  await q.deleteFrom('property_notifications').execute();
  const property_id = await scenario.listing('A’s Active');
  const add = async (user_id: string) => {
    const row = await q
      .insertInto('property_notifications')
      .values({
        user_id,
        property_id,
        notification_type: 'status_change',
        message: 'It is now Sold',
        settles_at: new Date(Date.now() - DAY),
        mail_due: true,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  };
  const buyerA = await add(scenario.cast.buyerA.id);
  await add(scenario.cast.buyerA.id);
  return { buyerA, sellerB: await add(scenario.cast.sellerB.id) };
}
const unread = async ({ db }: Scenario) =>
  (
    await db.q().selectFrom('property_notifications').select('user_id').where('is_read', '=', false).execute()
  ).map(({ user_id }) => user_id);

const newPreferences = {
  mailPropertyUpdates: false,
  mailMessages: true,
  mailSavedSearches: true,
  digestHour: 5,
  timeZone: 'UTC',
};
const preferencesOf = ({ db }: Scenario) =>
  db.q().selectFrom('notification_preferences').select(['user_id', 'digest_hour']).execute();
async function onlySellerBChose(scenario: Scenario): Promise<void> {
  await scenario.db.q().deleteFrom('notification_preferences').execute();
  await scenario.db
    .q()
    .insertInto('notification_preferences')
    .values({ user_id: scenario.cast.sellerB.id, digest_hour: 22 })
    .execute();
}

/** The token of a row: buyer A's, altered for another topic, or nonsense. */
function tokenOf(scenario: Scenario, row: string): string {
  const token = unsubscribeToken(testConfig, scenario.cast.buyerA.id, 'messages');
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
  // Only one's own.
  'reads#notificationList': operation({
    cells: `
      ${HEAD}
      2 for A, 1 for seller B  Unauthenticated  2  0  0  1  0  0
    `,
    prepare: ({ scenario }) => createNotifications(scenario),
    act: (ctx) => notificationList(ctx),
    outcomeOf: ({ rows }) => String(rows.length),
    mayChange: () => false,
    verify: (result) => expect(result?.unread ?? 0).toBe(result?.rows.length ?? 0),
  }),
  'reads#unreadNotifications': operation({
    cells: `
      ${HEAD}
      2 for A, 1 for seller B  Unauthenticated  2  0  0  1  0  0
    `,
    prepare: ({ scenario }) => createNotifications(scenario),
    act: (ctx) => unreadNotifications(ctx),
    outcomeOf: String,
    mayChange: () => false,
  }),
  'commands/mark-notification-read#markNotificationRead': operation({
    unaudited: 'what somebody has read is theirs',
    cells: `
      ${HEAD}
      buyer A’s   Unauthenticated  allowed   NotFound  NotFound  NotFound  NotFound  NotFound
      seller B’s  Unauthenticated  NotFound  NotFound  NotFound  allowed   NotFound  NotFound
      ${badIdRows()}
    `,
    async prepare({ scenario, row }) {
      const { buyerA, sellerB } = await createNotifications(scenario);
      return badId({ row }, buyerA) ?? (row === 'buyer A’s' ? buyerA : sellerB);
    },
    act: (ctx, id) => markNotificationRead(ctx, { id }),
    async verify(_, id, { scenario, outcome }) {
      const row = await scenario.db
        .q()
        .selectFrom('property_notifications')
        .select('id')
        .where('is_read', '=', true)
        .execute();
      expect(row).toEqual(outcome === 'allowed' ? [{ id }] : []);
    },
  }),
  'commands/mark-all-notifications-read#markAllNotificationsRead': operation({
    unaudited: 'what somebody has read is theirs',
    cells: `
      ${HEAD}
      2 for A, 1 for seller B  Unauthenticated  2  0  0  1  0  0
    `,
    prepare: ({ scenario }) => createNotifications(scenario),
    act: (ctx) => markAllNotificationsRead(ctx),
    outcomeOf: String,
    mayChange: (outcome) => outcome !== '0',
    async verify(_, __, { scenario, actor }) {
      const { buyerA, sellerB } = scenario.cast;
      const own = actor === 'anonymous' ? '' : scenario.person(actor).id;
      const others = [buyerA.id, buyerA.id, sellerB.id].filter((id) => id !== own);
      expect((await unread(scenario)).sort()).toEqual(others.sort());
    },
  }),

  'reads#notificationPreferences': operation({
    cells: `
      ${HEAD}
      seller B chose 22  Unauthenticated  8  8  8  22  8  8
    `,
    prepare: ({ scenario }) => onlySellerBChose(scenario),
    act: (ctx) => notificationPreferences(ctx),
    outcomeOf: ({ digestHour }) => String(digestHour),
    mayChange: () => false,
  }),
  'commands/save-preferences#savePreferences': operation({
    unaudited: 'which mails somebody wants is theirs',
    cells: `
      ${HEAD}
      hour 5   Unauthenticated  allowed  allowed  allowed  allowed  allowed  allowed
      hour 24  Unauthenticated  hour     hour     hour     hour     hour     hour
      no zone  Unauthenticated  zone     zone     zone     zone     zone     zone
    `,
    prepare: ({ scenario }) => onlySellerBChose(scenario),
    act: (ctx, _, { row }) =>
      savePreferences(ctx, {
        ...newPreferences,
        digestHour: row === 'hour 24' ? 24 : 5,
        timeZone: row === 'no zone' ? 'Nowhere/At all' : 'UTC',
      }),
    async verify(_, __, { scenario, actor, outcome }) {
      const sellerB = { user_id: scenario.cast.sellerB.id, digest_hour: 22 };
      const own = outcome === 'allowed' ? { user_id: scenario.person(actor).id, digest_hour: 5 } : null;
      const expected = [sellerB, own].filter(
        (row) => row !== null && (row === own || row.user_id !== own?.user_id),
      );
      const byUser = (a: { user_id: string } | null, b: { user_id: string } | null) =>
        String(a?.user_id).localeCompare(String(b?.user_id));
      expect((await preferencesOf(scenario)).sort(byUser)).toEqual(expected.sort(byUser));
    },
  }),

  'commands/remember-time-zone#rememberTimeZone': operation({
    unaudited: 'where somebody is belongs to them',
    cells: `
      ${HEAD}
      Tokyo    Unauthenticated  true   true   true   true   true   true
      no zone  Unauthenticated  false  false  false  false  false  false
    `,
    prepare: ({ scenario }) => scenario.db.q().updateTable('profiles').set({ time_zone: null }).execute(),
    act: (ctx, _, { row }) =>
      rememberTimeZone(ctx, { timeZone: row === 'Tokyo' ? 'Asia/Tokyo' : 'Nowhere/At all' }),
    outcomeOf: String,
    mayChange: (outcome) => outcome === 'true',
    async verify(_, __, { scenario, actor, outcome }) {
      const found = await scenario.db
        .q()
        .selectFrom('profiles')
        .select('id')
        .where('time_zone', '=', 'Asia/Tokyo')
        .execute();
      expect(found).toEqual(outcome === 'true' ? [{ id: scenario.person(actor).id }] : []);
    },
  }),

  // The signed token decides whose mails are meant, not the session.
  'reads#topicOfToken': operation({
    cells: tokenRows('messages'),
    act: async (ctx, _, { scenario, row }) => topicOfToken(ctx, tokenOf(scenario, row)),
    outcomeOf: (topic) => topic ?? 'refused',
    mayChange: () => false,
  }),
  'commands/unsubscribe#unsubscribe': operation({
    cells: tokenRows('allowed'),
    prepare: ({ scenario }) => onlySellerBChose(scenario),
    act: (ctx, _, { scenario, row }) => unsubscribe(ctx, { token: tokenOf(scenario, row) }),
    async verify(_, __, { scenario, outcome }) {
      const off = await scenario.db
        .q()
        .selectFrom('notification_preferences')
        .select('user_id')
        .where('mail_messages', '=', false)
        .execute();
      expect(off).toEqual(outcome === 'allowed' ? [{ user_id: scenario.cast.buyerA.id }] : []);
    },
  }),

  // Pending mails are sent by a timer.
  'commands/send-update-mails#sendUpdateMails': operation({
    cells: systemOnlyRows('what has settled'),
    prepare: ({ scenario }) => createNotifications(scenario),
    act: (ctx) => sendUpdateMails(ctx),
    async verify(_, __, { scenario }) {
      expect(await sendUpdateMails({ ...systemContext(scenario), now: () => new Date() })).toBe(2);
    },
  }),
};
