import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import { type OwnMarket, sessionOf } from './own-market.ts';
import type { Door } from './signed-in.ts';

/** A browser of its own in which somebody is signed in; its pages open addresses of that server. */
export async function browserOf(
  browser: Browser,
  { origin, email, door = 'buyer' }: { origin: string; email: string; door?: Door },
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: origin, ...options });
  await context.addCookies(await sessionOf(origin, email, door));
  return context;
}

/** A conversation about a house of the market, as its texts were written, oldest first; `*` begins the seller's. */
export async function talkAbout(
  { db }: OwnMarket,
  propertyId: string,
  buyer: string,
  [first = '', ...texts]: readonly string[],
): Promise<string> {
  const q = db.q();
  const idOf = async (email: string) =>
    (await q.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id;
  const [buyerId, sellerId] = [await idOf(buyer), await idOf('seller@acre.test')];
  const began = Date.now() - (texts.length + 2) * 60_000;
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
          created_at: new Date(began + (at + 1) * 60_000),
        })),
      )
      .execute();
  return id;
}

/** The parts of a page with conversations. */
export const inboxOf = (page: Page) => ({
  row: (address: string): Locator =>
    page.getByRole('navigation', { name: 'Inquiries' }).getByRole('link', { name: address }),
  messages: page.getByRole('log'),
  bubble: (text: string): Locator => page.locator('.msg', { hasText: text }),
  box: page.getByRole('textbox', { name: 'Your message' }),
  send: page.getByRole('button', { name: 'Send', exact: true }),
  bell: page.getByRole('banner').getByRole('link', { name: /unread messages$/ }),
});
