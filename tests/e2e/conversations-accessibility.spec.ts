import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { createConfirmedAccount, PASSWORD } from '#tests/support/browser/accounts.ts';
import { createSession, expect, open, test } from '#tests/support/browser/signed-in-test.ts';

const INBOX = '/buyer/transactions?tab=inquiries';
const users = [
  ['inbox-buyer', 'buyer@acre.test', 'buyer', INBOX],
  ['inbox-seller', 'seller@acre.test', 'agent', '/agent/inquiries'],
] as const;

test.describe('the inbox, in both themes, on desktop and mobile', () => {
  test.slow();
  for (const [name, email, role, path] of users)
    test(name, async ({ page, signInAs }) => {
      await signInAs(email, role);
      await open(page, path);
      await expectAccessible(page, name);
      await page.getByRole('navigation', { name: 'Inquiries' }).getByRole('link').first().click();
      await expect(page.getByRole('log')).toBeInViewport();
      await expect(page.getByRole('link', { name: 'All inquiries' })).toBeHidden();
      await expectAccessible(page, `${name}-thread`);
    });

  test('inbox-empty', async ({ page, context, baseURL, dataDir }) => {
    const origin = baseURL ?? '';
    const email = await createConfirmedAccount({ origin, dataDir });
    await context.addCookies(await createSession(origin, email, 'buyer', PASSWORD));
    await open(page, INBOX);
    await expect(page.getByRole('tabpanel')).toContainText('No inquiries yet.');
    await expectAccessible(page, 'inbox-empty');
  });
});

test('on a phone the inbox shows either the list or the conversation', { tag: '@phone' }, async ({
  page,
  signInAs,
  isMobile,
}) => {
  test.skip(!isMobile, 'both stand side by side there');
  await signInAs('buyer@acre.test');
  await open(page, INBOX);
  const rows = page.getByRole('navigation', { name: 'Inquiries' }).getByRole('link');
  await rows.first().click();
  await expect(page.getByRole('log')).toBeInViewport();
  await expect(rows.first()).toBeHidden();
  await page.getByRole('link', { name: 'All inquiries' }).click();
  await expect(rows.first()).toBeVisible();
});
