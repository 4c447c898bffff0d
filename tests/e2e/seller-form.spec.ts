import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import { approveListing } from '#features/listings/commands/approve-listing.ts';
import { testContext } from '#tests/support/context.ts';
import { expect, open, test, toastOf } from '#tests/support/own-market.ts';
import {
  ADD,
  enterFresh,
  expectFilled,
  field,
  fill,
  forgetNewest,
  newest,
  SELLER,
  saved,
  submitButton,
} from '#tests/support/seller-form-page.ts';
import { takenOver } from '#tests/support/signed-in.ts';

// The geocoder that is configured never answers: everything here works without it.
test.use({ environment: { GEOCODER_URL: 'http://127.0.0.1:9/geocoder' } });

test.describe('a new listing', () => {
  test.beforeEach(async ({ market, enter }) => {
    await enterFresh(market, enter);
    await forgetNewest(market);
  });

  test('is submitted, approved and on the market', async ({ page, market }) => {
    await open(page, '/agent/dashboard');
    await open(page, ADD);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add New Property');
    await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute(
      'href',
      '/agent/dashboard',
    );
    await fill(page);
    await field(page, 'Price').blur();
    await page
      .getByLabel('Garden', { exact: true })
      .or(page.locator('input[name=amenities]'))
      .first()
      .check();
    await saved(page);
    await submitButton(page).click();
    await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
    await expect(page).toHaveURL(/\/agent\/properties$/);
    const [listing, ...others] = await newest(market);
    expect(others).toEqual([]);
    expect(listing).toMatchObject({
      status: 'pending',
      price_cents: 61_500_000,
      city: 'Hood River',
      year_built: 1962,
      location_precision: 'zip',
    });
    const id = String(listing?.id);
    expect((await page.request.get(`/property/${id}`)).status()).toBe(200);
    await page.context().clearCookies();
    expect((await page.request.get(`/property/${id}`)).status()).toBe(404);
    const system = testContext(market.db, {
      actor: { kind: 'system', name: 'test' },
      now: () => new Date(),
    });
    expect(await approveListing(system, { propertyId: id })).toEqual({ ok: true });
    await open(page, `/property/${id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('27 Heron Way');
  });

  test('says what is missing, in the words of the rules, and goes to the first of it', async ({
    page,
    expectConsole,
  }) => {
    expectConsole(/422/);
    await open(page, ADD);
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
    await fill(page);
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

  test('keeps everything through a reload, also when nothing was saved yet', async ({
    page,
    expectConsole,
  }) => {
    // What was sent while leaving may arrive after the page was read again: the two are put together.
    expectConsole(/409|ERR_FAILED/);
    await open(page, ADD);
    await fill(page);
    await saved(page);
    await page.reload();
    await takenOver(page);
    await expectFilled(page);
    // The last word, which the server never heard: what it is told on the way is lost too.
    await page.route('**/api/listing-draft', (route) => route.abort());
    await field(page, 'Lot Size').fill('5000');
    await page.reload();
    await page.unroute('**/api/listing-draft');
    await takenOver(page);
    await expectFilled(page);
    await expect(field(page, 'Lot Size')).toHaveValue('5000');
    await expect(page.getByText('Your unsaved changes are back')).toBeVisible();
  });

  test('asks before it is left, and is there after going back', async ({ page }) => {
    await open(page, '/agent/dashboard');
    await page.getByRole('link', { name: 'Add New Property' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add New Property');
    await fill(page);
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
    const asked = new Promise<string>((resolve) =>
      page.once('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.accept();
      }),
    );
    await field(page, 'Bedrooms').pressSequentially('1');
    await page.goto('/properties');
    expect(await asked).toBe('beforeunload');
  });

  test('keeps everything when the session ends, and goes on after signing in', async ({
    page,
    market,
    expectConsole,
  }) => {
    expectConsole(/401/);
    await open(page, ADD);
    await fill(page, ['Property Title', 'Address']);
    await saved(page);
    await page.context().clearCookies();
    await fill(page);
    await expect(page.getByText('You are signed out')).toBeVisible();
    await submitButton(page).click();
    await expect(toastOf(page, 'No authenticated user')).toBeVisible();
    await expectFilled(page);
    await page.locator('.notice').getByRole('link', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(/\/agent\/login\?next=/);
    await takenOver(page);
    await page.getByLabel('Email').fill(SELLER);
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page
      .locator('main form')
      .getByRole('button', { name: /sign in|login/i })
      .last()
      .click();
    await expect(page).toHaveURL(new RegExp(`${ADD}$`));
    await takenOver(page);
    await expectFilled(page);
    await submitButton(page).click();
    await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
    expect(await newest(market)).toHaveLength(1);
  });

  test('keeps everything when the server or the connection fails', async ({
    page,
    market,
    expectConsole,
  }) => {
    expectConsole(/503|ERR_FAILED|Failed to load/);
    await open(page, ADD);
    await page.route('**/api/listing-draft', (route) => route.fulfill({ status: 503, body: '' }));
    await fill(page);
    await expect(page.getByText('The draft cannot be saved at the moment.')).toBeVisible();
    await page.route('**/agent/properties/add.data', (route) => route.abort());
    await submitButton(page).click();
    await expect(toastOf(page, 'Failed to save property')).toBeVisible();
    await expectFilled(page);
    await page.unrouteAll();
    await submitButton(page).click();
    await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
    expect(await newest(market)).toHaveLength(1);
  });

  test('is one listing however often the button is pressed', async ({ page, market }) => {
    await open(page, ADD);
    await fill(page);
    await submitButton(page).dblclick();
    await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
    expect(await newest(market)).toHaveLength(1);
    await open(page, ADD);
    await expect(field(page, 'Property Title')).toHaveValue('');
  });

  test('is put together from two windows; nothing is lost in either', async ({
    page,
    context,
    expectConsole,
  }) => {
    expectConsole(/409|ERR_INTERNET_DISCONNECTED/);
    await open(page, ADD);
    const other = await context.newPage();
    await open(other, ADD);
    await field(page, 'Property Title').fill('Typed in the first');
    await saved(page);
    await expect(field(other, 'Property Title')).toHaveValue('Typed in the first');
    await expect(other.getByText('This form was changed in another window')).toBeVisible();
    await expect(other.getByText('Taken over from there: Property Title.')).toBeVisible();
    // Both change the same field before either hears of the other.
    await context.setOffline(true);
    await field(page, 'Address').fill('1 First Street');
    await field(other, 'Address').fill('2 Second Street');
    await field(other, 'Bedrooms').fill('4');
    await expect(page.getByText('The draft cannot be saved at the moment.')).toBeVisible();
    await context.setOffline(false);
    const contested = page.locator('.notice', { hasText: 'Address was also changed in another window' });
    const theirs = other.locator('.notice', { hasText: 'Address was also changed in another window' });
    await expect(contested.or(page.getByText('Taken over from there')).first()).toBeVisible();
    // Whoever was second is asked, with what the first had typed beside.
    await expect
      .poll(async () => (await contested.count()) + (await theirs.count()), { timeout: 20_000 })
      .toBeGreaterThan(0);
    const asked = (await contested.count()) ? page : other;
    const typedThere = asked === page ? '2 Second Street' : '1 First Street';
    const notice = asked.locator('.notice', { hasText: 'Address was also changed' });
    await expect(notice).toContainText(typedThere);
    await notice.getByRole('button', { name: 'Use that' }).click();
    for (const one of [page, other]) {
      await expect(field(one, 'Address')).toHaveValue(typedThere);
      await expect(field(one, 'Bedrooms')).toHaveValue('4');
    }
  });

  test('that was submitted in one window is not submitted again by the other', async ({
    page,
    context,
    market,
    expectConsole,
  }) => {
    expectConsole(/409|410/);
    await open(page, ADD);
    await fill(page);
    await saved(page);
    const other = await context.newPage();
    await open(other, ADD);
    await expectFilled(other);
    await submitButton(page).click();
    await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
    await expect(other.getByText('This property was submitted in another window')).toBeVisible();
    await expect(other.getByRole('link', { name: 'Open it' })).toHaveAttribute('href', /\/edit$/);
    await submitButton(other).click();
    await expect(toastOf(other, 'Property submitted for approval')).toBeVisible();
    expect(await newest(market)).toHaveLength(1);
  });

  test('is discarded when its seller says so', async ({ page, market }) => {
    await open(page, ADD);
    await fill(page);
    await saved(page);
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard draft' }).click();
    await expect(field(page, 'Property Title')).toHaveValue('');
    expect(await market.db.q().selectFrom('property_drafts').select('id').execute()).toEqual([]);
  });

  test('stands where its pin is put, by keyboard too', async ({ page, market }) => {
    await open(page, ADD);
    await fill(page);
    await page.getByRole('button', { name: 'Find the address on the map' }).click();
    await expect(page.getByText('The pin stands in the middle of the ZIP code.')).toBeVisible();
    const pin = page.getByRole('button', { name: 'Pin of the property' });
    await pin.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText('The pin stands where you put it.')).toBeVisible();
    await expect(pin).toBeFocused();
    await saved(page);
    await submitButton(page).click();
    await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
    const [listing] = await newest(market);
    expect(listing?.location_precision).toBe('pin');
    expect(listing?.latitude).toBeGreaterThan(45.61);
    expect(listing?.longitude).toBeGreaterThan(-121.6);
  });

  test('keeps the start of a pasted text that is too long, and says so', { tag: '@desktop' }, async ({
    page,
  }) => {
    await open(page, ADD);
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
