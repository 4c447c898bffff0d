import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import { approveListing } from '#features/listings/commands/approve-listing.ts';
import {
  ADD_LISTING_PATH,
  deleteSubmittedListings,
  expectDraftSaved,
  expectFilled,
  field,
  fillForm,
  SELLER,
  signInWithoutDrafts,
  submitButton,
  submittedListings,
} from '#tests/support/browser/listing-form-page.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';
import { waitForHydration } from '#tests/support/browser/signed-in-test.ts';
import { testContext } from '#tests/support/fixtures/context.ts';

// The configured geocoder never responds: everything here must work without it.
test.use({ environment: { GEOCODER_URL: 'http://127.0.0.1:9/geocoder' } });

test.describe('a new listing', () => {
  test.beforeEach(async ({ scenario, signInAs }) => {
    await signInWithoutDrafts(scenario, signInAs);
    await deleteSubmittedListings(scenario);
  });

  test('is submitted, approved and published', { tag: '@phone' }, async ({ page, scenario }) => {
    await open(page, '/agent/dashboard');
    await open(page, ADD_LISTING_PATH);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add New Property');
    await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute(
      'href',
      '/agent/dashboard',
    );
    const labels = await page.locator('form .f-row .flabel').allTextContents();
    expect(labels.slice(0, 7).map((text) => text.replace(/ \(optional\)$/, ''))).toEqual([
      'Property Title',
      'Price',
      'Address',
      'Property Type',
      'Bedrooms',
      'Bathrooms',
      'Square Feet',
    ]);
    await fillForm(page);
    await field(page, 'Price').blur();
    await page
      .getByLabel('Garden', { exact: true })
      .or(page.locator('input[name=amenities]'))
      .first()
      .check();
    await expectDraftSaved(page);
    await submitButton(page).click();
    await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
    await expect(page).toHaveURL(/\/agent\/properties$/);
    const [listing, ...others] = await submittedListings(scenario);
    expect(others).toEqual([]);
    expect(listing).toMatchObject({
      status: 'pending',
      price_cents: 61_500_000,
      city: 'Hood River',
      year_built: 1962,
      neighborhood: 'Heights District',
      location_precision: 'zip',
    });
    const id = String(listing?.id);
    expect((await page.request.get(`/property/${id}`)).status()).toBe(200);
    await page.context().clearCookies();
    expect((await page.request.get(`/property/${id}`)).status()).toBe(404);
    const system = testContext(scenario.db, {
      actor: { kind: 'system', name: 'test' },
      now: () => new Date(),
    });
    expect(await approveListing(system, { propertyId: id })).toEqual({ ok: true });
    await open(page, `/property/${id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('27 Heron Way');
  });

  test('shows validation messages and focuses the first invalid field', { tag: '@phone' }, async ({
    page,
    expectConsole,
  }) => {
    expectConsole(422);
    await open(page, ADD_LISTING_PATH);
    await submitButton(page).click();
    for (const message of [
      'Title must be at least 2 characters.',
      'Price is required.',
      'Property type is required.',
      'Address must be at least 5 characters.',
      'Number of bedrooms is required.',
      'Number of bathrooms is required.',
      'Square footage is required.',
      'Description must be at least 10 characters.',
    ])
      await expect(page.getByText(message, { exact: true })).toBeVisible();
    await expect(field(page, 'Property Title')).toBeFocused();
    await fillForm(page);
    await field(page, 'Price').fill('-5');
    await field(page, 'Price').blur();
    await expect(page.getByText('Price must be a number greater than 0.')).toBeVisible();
    await expect(page.getByText('Title must be at least 2 characters.')).toHaveCount(0);
    await submitButton(page).click();
    await expect(field(page, 'Price')).toBeFocused();
    await field(page, 'Price').fill('615000');
    await field(page, 'Price').blur();
    await expect(field(page, 'Price')).not.toHaveAttribute('aria-invalid', 'true');
    await expectFilled(page);
  });

  test('keeps everything through a reload, even unsaved changes', async ({ page, expectConsole }) => {
    // A save sent while leaving may arrive after the reload; the two versions are then merged.
    expectConsole(409, /ERR_FAILED/);
    await open(page, ADD_LISTING_PATH);
    await fillForm(page);
    await expectDraftSaved(page);
    await page.reload();
    await waitForHydration(page);
    await expectFilled(page);
    // The last change never reaches the server, not even while the page is unloading.
    await page.route('**/api/listing-draft', (route) => route.abort());
    await field(page, 'Lot Size').fill('5000');
    await page.reload();
    await page.unroute('**/api/listing-draft');
    await waitForHydration(page);
    await expectFilled(page);
    await expect(field(page, 'Lot Size')).toHaveValue('5000');
    await expect(page.getByText('Your unsaved changes are back')).toBeVisible();
  });

  test('asks before leaving, and is restored after going back', async ({ page, expectConsole }) => {
    // The save sent while leaving may arrive after the form was loaded again; the two versions are then merged.
    expectConsole(409);
    await open(page, '/agent/dashboard');
    await page.getByRole('link', { name: 'Add New Property' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add New Property');
    await fillForm(page);
    await page.goBack();
    const question = page.getByRole('alertdialog', { name: 'Leave this page?' });
    await expect(question).toBeVisible();
    await question.getByRole('button', { name: 'Stay' }).click();
    await expect(question).toBeHidden();
    await expectFilled(page);
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Seller Dashboard');
    await page.goBack();
    await expectFilled(page);
    const prompted = new Promise<string>((resolve) =>
      page.once('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.accept();
      }),
    );
    await field(page, 'Bedrooms').pressSequentially('1');
    await page.goto('/properties');
    expect(await prompted).toBe('beforeunload');
  });

  test('comes back when Back is pressed at once after leaving', async ({ page, expectConsole }) => {
    expectConsole(409);
    await open(page, '/agent/dashboard');
    await page.getByRole('link', { name: 'Add New Property' }).click();
    await fillForm(page);
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    // As on a busy machine: the effects of a render run long after it is on the screen.
    await page.evaluate(() => {
      const post = MessagePort.prototype.postMessage;
      MessagePort.prototype.postMessage = function (this: MessagePort, ...sent: [unknown]) {
        setTimeout(() => post.apply(this, sent), 500);
      } as typeof post;
    });
    await page.getByRole('button', { name: 'Leave' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Seller Dashboard');
    await page.goBack();
    await expectFilled(page);
  });

  test('comes back when it is loaded while its last save is still running', async ({
    page,
    expectConsole,
  }) => {
    expectConsole(409);
    await open(page, '/agent/dashboard');
    await page.getByRole('link', { name: 'Add New Property' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add New Property');
    const save = Promise.withResolvers<void>();
    const saved = Promise.withResolvers<void>();
    await page.route('**/api/listing-draft', async (route) => {
      await save.promise;
      const response = await route.fetch();
      await route.fulfill({ response });
      saved.resolve();
    });
    await fillForm(page);
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await page.getByRole('button', { name: 'Leave' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Seller Dashboard');
    // What the form is loaded with arrives after the save was answered, whenever it was read.
    await page.route('**/agent/properties/add.data**', async (route) => {
      const response = await route.fetch();
      save.resolve();
      await saved.promise;
      await route.fulfill({ response });
    });
    await page.evaluate(() => history.back());
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    save.resolve();
    await expectFilled(page);
  });

  test('keeps everything when the session ends, and continues after signing in', async ({
    page,
    scenario,
    expectConsole,
  }) => {
    expectConsole(401);
    await open(page, ADD_LISTING_PATH);
    await fillForm(page, ['Property Title', 'Address']);
    await expectDraftSaved(page);
    await page.context().clearCookies();
    await fillForm(page);
    await expect(page.getByText('You are signed out')).toBeVisible();
    await submitButton(page).click();
    await expect(toastOf(page, 'No authenticated user')).toBeVisible();
    await expectFilled(page);
    await page.locator('.notice').getByRole('link', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(/\/agent\/login\?next=/);
    await waitForHydration(page);
    await page.getByLabel('Email').fill(SELLER);
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page
      .locator('main form')
      .getByRole('button', { name: /sign in|login/i })
      .last()
      .click();
    await expect(page).toHaveURL(new RegExp(`${ADD_LISTING_PATH}$`));
    await waitForHydration(page);
    await expectFilled(page);
    await submitButton(page).click();
    await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
    expect(await submittedListings(scenario)).toHaveLength(1);
  });

  test('keeps everything when the server or the connection fails', async ({
    page,
    scenario,
    expectConsole,
  }) => {
    expectConsole(503, /ERR_FAILED/);
    await open(page, ADD_LISTING_PATH);
    await page.route('**/api/listing-draft', (route) => route.fulfill({ status: 503, body: '' }));
    await fillForm(page);
    await expect(page.getByText('The draft cannot be saved right now.')).toBeVisible();
    await page.route('**/agent/properties/add.data', (route) => route.abort());
    await submitButton(page).click();
    await expect(toastOf(page, 'Failed to save property')).toBeVisible();
    await expectFilled(page);
    await page.unrouteAll();
    await submitButton(page).click();
    await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
    expect(await submittedListings(scenario)).toHaveLength(1);
  });

  test('is submitted once however often the button is clicked', async ({ page, scenario }) => {
    await open(page, ADD_LISTING_PATH);
    await fillForm(page);
    await submitButton(page).dblclick();
    await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
    expect(await submittedListings(scenario)).toHaveLength(1);
    await open(page, ADD_LISTING_PATH);
    await expect(field(page, 'Property Title')).toHaveValue('');
  });

  test('is merged from two windows without losing anything', async ({ page, context, expectConsole }) => {
    expectConsole(409, /ERR_INTERNET_DISCONNECTED/);
    await open(page, ADD_LISTING_PATH);
    const other = await context.newPage();
    await open(other, ADD_LISTING_PATH);
    await field(page, 'Property Title').fill('Typed in the first');
    await expectDraftSaved(page);
    await expect(field(other, 'Property Title')).toHaveValue('Typed in the first');
    await expect(other.getByText('This form was changed in another window')).toBeVisible();
    await expect(other.getByText('Copied from there: Property Title.')).toBeVisible();
    // Both windows change the same field before either learns of the other.
    await context.setOffline(true);
    await field(page, 'Address').fill('1 First Street');
    await field(other, 'Address').fill('2 Second Street');
    await field(other, 'Bedrooms').fill('4');
    await expect(page.getByText('The draft cannot be saved right now.')).toBeVisible();
    await context.setOffline(false);
    const conflict = page.locator('.notice', { hasText: 'Address was also changed in another window' });
    const otherConflict = other.locator('.notice', { hasText: 'Address was also changed in another window' });
    await expect(conflict.or(page.getByText('Copied from there')).first()).toBeVisible();
    // The window that saves second shows the conflict with the other value.
    await expect
      .poll(async () => (await conflict.count()) + (await otherConflict.count()), { timeout: 20_000 })
      .toBeGreaterThan(0);
    const prompted = (await conflict.count()) ? page : other;
    const otherValue = prompted === page ? '2 Second Street' : '1 First Street';
    const notice = prompted.locator('.notice', { hasText: 'Address was also changed' });
    await expect(notice).toContainText(otherValue);
    await notice.getByRole('button', { name: 'Use that' }).click();
    for (const currentPage of [page, other]) {
      await expect(field(currentPage, 'Address')).toHaveValue(otherValue);
      await expect(field(currentPage, 'Bedrooms')).toHaveValue('4');
    }
  });

  test('that was submitted in one window is not submitted again from the other', async ({
    page,
    context,
    scenario,
    expectConsole,
  }) => {
    expectConsole(409, 410);
    await open(page, ADD_LISTING_PATH);
    await fillForm(page);
    await expectDraftSaved(page);
    const other = await context.newPage();
    await open(other, ADD_LISTING_PATH);
    await expectFilled(other);
    await submitButton(page).click();
    await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
    await expect(other.getByText('This property was submitted in another window')).toBeVisible();
    await expect(other.getByRole('link', { name: 'Open it' })).toHaveAttribute('href', /\/edit$/);
    await submitButton(other).click();
    await expect(toastOf(other, 'Property submitted for approval')).toBeVisible();
    expect(await submittedListings(scenario)).toHaveLength(1);
  });

  test('can be discarded', async ({ page, scenario }) => {
    await open(page, ADD_LISTING_PATH);
    await fillForm(page);
    await expectDraftSaved(page);
    // The page is opened with what was stored, which the form must not keep.
    await open(page, ADD_LISTING_PATH);
    await expectFilled(page);
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard draft' }).click();
    await expect(field(page, 'Property Title')).toHaveValue('');
    expect(await scenario.db.q().selectFrom('property_drafts').select('id').execute()).toEqual([]);
  });

  test('is located where its pin is placed, also by keyboard', async ({ page, scenario }) => {
    await open(page, ADD_LISTING_PATH);
    await fillForm(page);
    await page.getByRole('button', { name: 'Find the address on the map' }).click();
    await expect(page.getByText('The pin is at the center of the ZIP code.')).toBeVisible();
    const pin = page.getByRole('button', { name: 'Property pin' });
    await pin.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText('The pin is where you placed it.')).toBeVisible();
    await expect(pin).toBeFocused();
    await expectDraftSaved(page);
    await submitButton(page).click();
    await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
    const [listing] = await submittedListings(scenario);
    expect(listing?.location_precision).toBe('pin');
    expect(listing?.latitude).toBeGreaterThan(45.61);
    expect(listing?.longitude).toBeGreaterThan(-121.6);
  });

  test('truncates a pasted text that is too long, and says so', async ({ page }) => {
    await open(page, ADD_LISTING_PATH);
    const title = field(page, 'Property Title');
    await title.evaluate((input: HTMLInputElement, text) => {
      const data = new DataTransfer();
      data.setData('text', text);
      input.focus();
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, 'x'.repeat(150));
    await expect(page.getByText('Only the first 120 characters were kept.')).toBeVisible();
    await expect(title).toHaveAttribute('maxlength', '120');
  });
});
