import { expect, open, test, toastOf } from '#tests/support/own-market.ts';
import {
  ADD,
  enterFresh,
  field,
  fill,
  forgetNewest,
  newest,
  saved,
  submitButton,
  texts,
} from '#tests/support/seller-form-page.ts';

test.describe('without scripts', { tag: '@desktop' }, () => {
  test.use({ javaScriptEnabled: false });
  test('a listing is refused with everything that was typed, and submitted', async ({
    page,
    market,
    enter,
    expectConsole,
  }) => {
    expectConsole(/422/);
    await enterFresh(market, enter);
    await forgetNewest(market);
    await page.goto(ADD);
    await fill(page);
    await field(page, 'Price').fill('abc');
    await submitButton(page).click();
    await expect(page.getByText('Price must be a number greater than 0.')).toBeVisible();
    await expect(field(page, 'Description')).toHaveValue(texts.Description);
    await field(page, 'Price').fill('615000');
    await submitButton(page).click();
    await expect(page).toHaveURL(/\/agent\/properties$/);
    expect(await newest(market)).toHaveLength(1);
  });
});

test.describe('an edit', () => {
  test.beforeEach(({ market, enter }) => enterFresh(market, enter));

  test('is live at once, with its history, and keeps the status', async ({ page, market }) => {
    const id = await market.house({ title: 'House to edit' });
    await open(page, `/agent/properties/${id}/edit`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit Property');
    await expect(page.getByRole('link', { name: 'Back to Properties' })).toHaveAttribute(
      'href',
      '/agent/properties',
    );
    await expect(field(page, 'Price')).toHaveValue('742,000');
    await expect(field(page, 'Address')).toHaveValue('48 Larkspur Lane, Cedar Hollow, OR 97031');
    await field(page, 'Price').fill('700,000');
    await saved(page);
    // The listing is as it was until the seller says so.
    expect(
      (
        await market.db
          .q()
          .selectFrom('properties')
          .select('price_cents')
          .where('id', '=', id)
          .executeTakeFirst()
      )?.price_cents,
    ).toBe(74_200_000);
    await page.getByRole('button', { name: 'Update Property' }).click();
    await expect(toastOf(page, 'Property updated')).toBeVisible();
    const row = await market.db
      .q()
      .selectFrom('properties')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ price_cents: 70_000_000, status: 'Active' });
    expect(row.changed_since_approval_at).not.toBeNull();
  });

  test('in escrow is one of the description alone; after the sale there is none', async ({
    page,
    market,
  }) => {
    const held = await market.house({ title: 'House in escrow', status: 'escrow' });
    await open(page, `/agent/properties/${held}/edit`);
    await expect(page.getByText('This property is in escrow')).toBeVisible();
    await expect(field(page, 'Price')).toHaveAttribute('readonly');
    await expect(page.getByLabel('Property Type')).toBeDisabled();
    await field(page, 'Description').fill('The garden is in full bloom.');
    await page.getByRole('button', { name: 'Update Property' }).click();
    await expect(toastOf(page, 'Property updated')).toBeVisible();
    const sold = await market.house({ title: 'Sold house', status: 'Sold' });
    await open(page, `/agent/properties/${sold}/edit`);
    await expect(page.getByText('This property is sold and can no longer be changed')).toBeVisible();
    await expect(field(page, 'Description')).toHaveAttribute('readonly');
    await expect(page.getByRole('button', { name: 'Update Property' })).toHaveCount(0);
  });

  test('that was sent back shows why and is handed in again', async ({ page, market }) => {
    const id = await market.house({
      title: 'House sent back',
      status: 'changes_requested',
      review_note: 'Please tell about the roof.',
      listed_at: null,
    });
    await open(page, `/agent/properties/${id}/edit`);
    await expect(page.getByText('Please tell about the roof.')).toBeVisible();
    await field(page, 'Description').fill('The roof is new, of slate.');
    await page.getByRole('button', { name: 'Submit for approval again' }).click();
    await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
    const row = await market.db
      .q()
      .selectFrom('properties')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row?.status).toBe('pending');
  });

  test("is none of another seller's", { tag: '@desktop' }, async ({ page, market, expectConsole }) => {
    expectConsole(/404/);
    const id = await market.house({}, 'seller2@acre.test');
    const answer = await page.goto(`/agent/properties/${id}/edit`);
    expect(answer?.status()).toBe(404);
  });
});
