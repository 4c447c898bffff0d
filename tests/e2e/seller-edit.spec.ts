import {
  ADD_LISTING_PATH,
  deleteSubmittedListings,
  expectDraftSaved,
  field,
  fieldValues,
  fillForm,
  signInWithoutDrafts,
  submitButton,
  submittedListings,
} from '#tests/support/browser/listing-form-page.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('a rejected listing keeps everything that was typed, and can be submitted', async ({
    page,
    scenario,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(422);
    await signInWithoutDrafts(scenario, signInAs);
    await deleteSubmittedListings(scenario);
    await page.goto(ADD_LISTING_PATH);
    await fillForm(page);
    await field(page, 'Price').fill('abc');
    await submitButton(page).click();
    await expect(page.getByText('Price must be a number greater than 0.')).toBeVisible();
    await expect(field(page, 'Description')).toHaveValue(fieldValues.Description);
    await field(page, 'Price').fill('615000');
    await submitButton(page).click();
    await expect(page).toHaveURL(/\/agent\/properties$/);
    expect(await submittedListings(scenario)).toHaveLength(1);
  });
});

test.describe('an edit', () => {
  test.beforeEach(({ scenario, signInAs }) => signInWithoutDrafts(scenario, signInAs));

  test('is live at once, is recorded, and keeps the status', async ({ page, scenario }) => {
    const id = await scenario.createListing({ title: 'House to edit' });
    await open(page, `/agent/properties/${id}/edit`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit Property');
    await expect(page.getByRole('link', { name: 'Back to Properties' })).toHaveAttribute(
      'href',
      '/agent/properties',
    );
    await expect(field(page, 'Price')).toHaveValue('742,000');
    await expect(field(page, 'Address')).toHaveValue('48 Larkspur Lane, Cedar Hollow, OR 97031');
    await field(page, 'Price').fill('700,000');
    await expectDraftSaved(page);
    // The draft does not change the listing until the seller submits it.
    expect(
      (
        await scenario.db
          .q()
          .selectFrom('properties')
          .select('price_cents')
          .where('id', '=', id)
          .executeTakeFirst()
      )?.price_cents,
    ).toBe(74_200_000);
    await page.getByRole('button', { name: 'Update Property' }).click();
    await expect(toastOf(page, 'Property updated')).toBeVisible();
    const row = await scenario.db
      .q()
      .selectFrom('properties')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ price_cents: 70_000_000, status: 'Active' });
    expect(row.changed_since_approval_at).not.toBeNull();
  });

  test('that goes on while it is being saved leaves no draft behind', async ({ page, scenario }) => {
    const id = await scenario.createListing({ title: 'House to edit twice' });
    const update = page.getByRole('button', { name: 'Update Property' });
    const drafts = () =>
      scenario.db.q().selectFrom('property_drafts').select('id').where('property_id', '=', id).execute();
    await page.clock.install();
    await open(page, `/agent/properties/${id}/edit`);
    const [saved, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(`**/agent/properties/${id}/edit.data**`, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const response = await route.fetch();
      saved.resolve();
      await answer.promise;
      await route.fulfill({ response });
    });
    await field(page, 'Price').fill('700000');
    await update.click();
    await saved.promise;
    // On a slow connection: typing goes on, and the phone is put away.
    await field(page, 'Property Title').fill('Something else');
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await page.clock.runFor(3_000);
    await expect(field(page, 'Property Title')).toHaveValue('House to edit twice');
    answer.resolve();
    await expect(toastOf(page, 'Property updated')).toBeVisible();
    expect(await drafts()).toEqual([]);

    await open(page, `/agent/properties/${id}/edit`);
    await expect(page.getByRole('button', { name: 'Discard changes' })).toHaveCount(0);
    await field(page, 'Property Title').fill('House edited twice');
    await update.click();
    await expect(toastOf(page, 'Property updated')).toBeVisible();
    expect(await drafts()).toEqual([]);
    const row = await scenario.db
      .q()
      .selectFrom('properties')
      .select(['title', 'price_cents'])
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row).toEqual({ title: 'House edited twice', price_cents: 70_000_000 });
  });

  test('in escrow only the description can be changed; after the sale nothing can', async ({
    page,
    scenario,
  }) => {
    const escrowListingId = await scenario.createListing({ title: 'House in escrow', status: 'escrow' });
    await open(page, `/agent/properties/${escrowListingId}/edit`);
    await expect(page.getByText('This property is in escrow')).toBeVisible();
    await expect(field(page, 'Price')).toHaveAttribute('readonly');
    await expect(page.getByLabel('Property Type')).toBeDisabled();
    await field(page, 'Description').fill('The garden is in full bloom.');
    await page.getByRole('button', { name: 'Update Property' }).click();
    await expect(toastOf(page, 'Property updated')).toBeVisible();
    const sold = await scenario.createListing({ title: 'Sold house', status: 'Sold' });
    await open(page, `/agent/properties/${sold}/edit`);
    await expect(page.getByText('This property is sold and can no longer be changed')).toBeVisible();
    await expect(field(page, 'Description')).toHaveAttribute('readonly');
    await expect(page.getByRole('button', { name: 'Update Property' })).toHaveCount(0);
  });

  test('of a listing with requested changes shows the reason and can be submitted again', async ({
    page,
    scenario,
  }) => {
    const id = await scenario.createListing({
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
    const row = await scenario.db
      .q()
      .selectFrom('properties')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row?.status).toBe('pending');
  });

  test('is not possible for another seller', async ({ page, scenario, expectConsole }) => {
    expectConsole(404);
    const id = await scenario.createListing({}, 'seller2@acre.test');
    const answer = await page.goto(`/agent/properties/${id}/edit`);
    expect(answer?.status()).toBe(404);
  });
});
