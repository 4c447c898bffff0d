import { withPictures } from '#tests/support/browser/launch-options.ts';
import { expect, open, statusOf, test } from '#tests/support/browser/signed-in-test.ts';
import { demoListing, larkspurLane, pathOf } from '#tests/support/fixtures/demo-listings.ts';

test.use(withPictures);

const ofSeller = (email: string) => (listing: { seller: { email: string } }) =>
  listing.seller.email === email;
const own = demoListing('pending', ofSeller('seller@acre.test'));

test.describe('a seller on the public pages', () => {
  test('sees their own pending listing, as an administrator does', async ({ page, signInAs, context }) => {
    await signInAs('seller@acre.test', 'agent');
    const answer = await page.goto(pathOf(own));
    expect(answer?.status()).toBe(200);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(own.row.address);
    await expect(
      page.getByRole('region', { name: 'Price' }).getByText('Pending', { exact: true }),
    ).toBeVisible();
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    expect(
      await statusOf(context.request, pathOf(demoListing('withdrawn', ofSeller('seller@acre.test')))),
    ).toBe(200);
    await context.clearCookies();
    await signInAs('seller2@acre.test', 'agent');
    expect(await statusOf(context.request, pathOf(own))).toBe(404);
    await context.clearCookies();
    await signInAs('admin@acre.test', 'admin');
    expect(await statusOf(context.request, pathOf(own))).toBe(200);
  });

  test('cannot inquire about their own listing, and is told why', async ({ page, signInAs }) => {
    await signInAs('seller@acre.test', 'agent');
    await open(page, `${pathOf(larkspurLane)}?inquire=1`);
    await expect(page.getByRole('button', { name: 'Inquire About Property' })).toBeDisabled();
    await expect(page.getByText('This is your own listing.', { exact: true })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});
