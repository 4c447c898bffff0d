import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import { MINUTE } from '#platform/durations.ts';
import { createSession, type Scenario } from './scenario.ts';
import type { LoginRole } from './signed-in-test.ts';

/** A separate browser context with a signed-in user; its pages resolve URLs against that server. */
export async function signedInContext(
  browser: Browser,
  { origin, email, role = 'buyer' }: { origin: string; email: string; role?: LoginRole },
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: origin, ...options });
  await context.addCookies(await createSession(origin, email, role));
  return context;
}

/** Creates a conversation about a property from its messages, oldest first; a leading `*` marks the seller's. */
export async function createConversation(
  { db }: Scenario,
  propertyId: string,
  buyer: string,
  [first = '', ...texts]: readonly string[],
): Promise<string> {
  const q = db.q();
  const idOf = async (email: string) =>
    (await q.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id;
  const [buyerId, sellerId] = [await idOf(buyer), await idOf('seller@acre.test')];
  const began = Date.now() - (texts.length + 2) * MINUTE;
  const { id } = await q
    .insertInto('property_inquiries')
    .values({
      property_id: propertyId,
      user_id: buyerId,
      message: first,
      created_at: new Date(began),
      last_message_at: new Date(began),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (texts.length > 0)
    await q
      .insertInto('inquiry_messages')
      .values(
        texts.map((text, at) => ({
          inquiry_id: id,
          sender_id: text.startsWith('*') ? sellerId : buyerId,
          message: text.replace(/^\*/, ''),
          created_at: new Date(began + (at + 1) * MINUTE),
        })),
      )
      .execute();
  return id;
}

/** How the name of the bell begins, whatever it counts. */
export const BELL_NAME = /^\d+ (?:new: |unread messages|property update|inquir|new match)/;

/** Locators of the inbox page. */
export const inboxPage = (page: Page) => ({
  row: (address: string): Locator =>
    page.getByRole('navigation', { name: 'Inquiries' }).getByRole('link', { name: address }),
  messages: page.getByRole('log'),
  bubble: (text: string): Locator => page.locator('.msg', { hasText: text }),
  box: page.getByRole('textbox', { name: 'Your message' }),
  send: page.getByRole('button', { name: 'Send', exact: true }),
  bell: page.getByRole('banner').getByRole('link', { name: BELL_NAME }),
});
