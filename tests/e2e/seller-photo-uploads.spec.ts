import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import { approveListing } from '#features/listings/commands/approve-listing.ts';
import { signIn } from '#tests/support/browser/accounts.ts';
import { withPictures } from '#tests/support/browser/launch-options.ts';
import {
  ADD_LISTING_PATH,
  deleteSubmittedListings,
  expectDraftSaved,
  expectFilled,
  fillForm,
  signInWithoutDrafts,
  submitButton,
  submittedListings,
} from '#tests/support/browser/listing-form-page.ts';
import { openOfficeForm, openPhotoForm, photosIn, UPLOADS } from '#tests/support/browser/photo-form.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';
import { createPhotos, photoPanels, sampleFiles } from '#tests/support/files/photos.ts';
import { testContext } from '#tests/support/fixtures/context.ts';

/** Photos are encoded one after the other, beside whatever else the machine does. */
const ENCODED = { timeout: 60_000 };

test.use(withPictures);

const SELLER = 'seller@acre.test';

test.beforeEach(async ({ scenario, signInAs }) => {
  await scenario.db.q().deleteFrom('rate_limits').execute();
  await signInAs(SELLER, 'agent');
});

test.describe('a network that fails', () => {
  test.slow();

  test('uploads resume automatically when the connection is back, and are stored once', async ({
    page,
    scenario,
    context,
    expectConsole,
  }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    const id = await openPhotoForm(page, scenario, '4 Failing Row');
    const panels = photoPanels(page);
    // The first upload is stored, but its response is lost.
    let lostAnswers = 0;
    await page.route(UPLOADS, async (route) => {
      if (lostAnswers > 0) return route.fallback();
      lostAnswers += 1;
      await route.fetch();
      await context.setOffline(true);
      return route.abort();
    });
    await panels.files.setInputFiles(await createPhotos('a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'));
    await expect(page.getByText('Trying again').first()).toBeVisible();
    await expect(
      page.getByText('The connection was lost. Trying again automatically.').first(),
    ).toBeVisible();
    await context.setOffline(false);
    await expect(panels.stored).toHaveCount(3, ENCODED);
    await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible(ENCODED);
    expect(await photosIn(scenario, id)).toHaveLength(4);
  });

  test('an upload can be cancelled, and one that fails on the server can be retried', async ({
    page,
    scenario,
    expectConsole,
  }) => {
    expectConsole(503);
    const id = await openPhotoForm(page, scenario, '5 Failing Row');
    const panels = photoPanels(page);
    const held: (() => Promise<void>)[] = [];
    await page.route(UPLOADS, (route) => void held.push(() => route.continue()));
    await panels.files.setInputFiles(await createPhotos('m.jpg', 'a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'));
    // Three uploads run at a time.
    await expect.poll(() => held.length).toBe(3);
    await expect(panels.tile('c.jpg')).toContainText('Waiting');
    await page.getByRole('button', { name: 'Cancel a.jpg' }).click();
    await expect(panels.tile('a.jpg')).toHaveCount(0);
    await expect.poll(() => held.length).toBe(4);
    await page.unroute(UPLOADS);
    await Promise.all(held.map((go) => go().catch(() => undefined)));
    await expect(panels.stored).toHaveCount(3, ENCODED);
    expect(await photosIn(scenario, id)).toHaveLength(4);

    await page.clock.install();
    await page.route(UPLOADS, (route) => route.fulfill({ status: 503, body: 'away' }));
    await panels.files.setInputFiles(await createPhotos('late.jpg'));
    // Each response of the server begins a pause before the next attempt.
    await expect(async () => {
      await page.clock.runFor(31_000);
      await expect(panels.tile('late.jpg')).toContainText('Not uploaded', { timeout: 100 });
    }).toPass({ timeout: 30_000 });
    await expect(panels.tile('late.jpg')).toContainText('Something went wrong on our side.');
    await page.unroute(UPLOADS);
    await page.getByRole('button', { name: 'Retry late.jpg' }).click();
    await expect(panels.stored).toHaveCount(4, ENCODED);
  });

  test('an expired session is reported, and the upload continues after signing in', async ({
    page,
    scenario,
    context,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(401);
    // The page asks who is signed in when its event stream begins, and would leave for the sign-in page by itself.
    const asked = page.waitForResponse('**/api/session');
    await openPhotoForm(page, scenario, '6 Failing Row');
    await asked;
    const panels = photoPanels(page);
    const cookies = await context.cookies();
    await context.clearCookies();
    await panels.files.setInputFiles(await createPhotos('a.jpg'));
    await expect(panels.main).toContainText('You have been signed out.');
    await context.addCookies(cookies);
    await signInAs(SELLER, 'agent');
    await page.getByRole('button', { name: 'Retry a.jpg' }).click();
    await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible(ENCODED);
  });

  test('a change that fails is rolled back with an error', async ({ page, scenario, expectConsole }) => {
    expectConsole(/ERR_FAILED/);
    await openPhotoForm(page, scenario, '7 Failing Row');
    const panels = photoPanels(page);
    await panels.files.setInputFiles(await createPhotos('m.jpg', 'a.jpg', 'b.jpg'));
    await expect(panels.stored).toHaveCount(2, ENCODED);
    const order = () => panels.stored.evaluateAll((tiles) => tiles.map((tile) => tile.dataset.photo));
    const before = await order();
    await page.route('**/agent/photos/**', (route) => route.abort());
    await panels.stored
      .first()
      .getByRole('button', { name: /later$/ })
      .click();
    await expect(toastOf(page, 'Photos could not be changed')).toBeVisible();
    expect(await order()).toEqual(before);
  });
});

test.describe('the form around the photos', () => {
  test('waits for them, and asks before it goes without those that failed', { tag: '@phone' }, async ({
    page,
    scenario,
    expectConsole,
  }) => {
    expectConsole(401);
    const id = await openPhotoForm(page, scenario, '8 Waiting Row');
    const panels = photoPanels(page);
    const held = Promise.withResolvers<void>();
    await page.route(UPLOADS, async (route) => {
      await held.promise;
      await route.fulfill({ status: 401, body: '{}' });
    });
    await panels.files.setInputFiles(await createPhotos('a.jpg', 'b.jpg'));
    await page.getByRole('button', { name: 'Update Property' }).click();
    await expect(page.getByText('Waiting for the photos…')).toBeVisible();
    // The session has ended while they were on their way.
    held.resolve();
    const question = page.getByRole('alertdialog', { name: 'Update without these photos?' });
    await expect(question).toContainText('2 photos were not uploaded: a.jpg, b.jpg.');
    await question.getByRole('button', { name: 'Go back' }).click();
    await expect(page).toHaveURL(/\/edit$/);
    const failed = page.getByRole('list', { name: 'Photos that were not uploaded' });
    await expect(failed.getByRole('listitem')).toHaveText([
      /^a\.jpg You have been signed out\./,
      /^b\.jpg You have been signed out\./,
    ]);

    await page.unroute(UPLOADS);
    await failed.getByRole('button', { name: 'Retry upload of a.jpg' }).click();
    await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible(ENCODED);
    await expect(failed.getByRole('listitem')).toHaveCount(1);
    await page.getByRole('button', { name: 'Update Property' }).click();
    await page
      .getByRole('alertdialog', { name: 'Update without this photo?' })
      .getByRole('button', { name: 'Update without it' })
      .click();
    await expect(toastOf(page, 'Property updated')).toBeVisible();
    expect(await photosIn(scenario, id)).toHaveLength(1);
  });

  for (const form of [
    { of: 'a seller', open: openPhotoForm, toast: 'Property updated' },
    { of: 'an administrator', open: openOfficeForm, toast: 'Property updated successfully' },
  ])
    test(`of ${form.of} asks before it goes without one that was refused, and says why`, async ({
      page,
      scenario,
      signInAs,
      expectConsole,
    }) => {
      expectConsole(422);
      if (form.open === openOfficeForm) await signInAs('admin@acre.test', 'admin');
      const id = await form.open(page, scenario, `11 Waiting Row, ${form.of}`);
      const held = Promise.withResolvers<void>();
      await page.route(UPLOADS, async (route) => {
        await held.promise;
        await route.continue();
      });
      const broken = sampleFiles('awkward-photos').filter(({ name }) => name === 'broken-heic.heic');
      await photoPanels(page).files.setInputFiles([...(await createPhotos('a.jpg')), ...broken]);
      const update = page.getByRole('button', { name: 'Update Property' });
      await update.click();
      await expect(page.getByText('Waiting for the photos…')).toBeVisible();
      held.resolve();
      const question = page.getByRole('alertdialog', { name: 'Update without this photo?' });
      await expect(question).toContainText('1 photo was not accepted:', ENCODED);
      await expect(question).toContainText('broken-heic.heic This picture is damaged or incomplete.');
      await question.getByRole('button', { name: 'Go back' }).click();
      await expect(page).toHaveURL(/\/edit$/);
      await expect(photoPanels(page).refused).toHaveText([/^broken-heic\.heic/]);
      await update.click();
      await question.getByRole('button', { name: 'Update without it' }).click();
      await expect(toastOf(page, form.toast)).toBeVisible();
      expect(await photosIn(scenario, id)).toHaveLength(1);
    });

  test('photos of a home that was approved without them in another tab are named as left out', async ({
    page,
    context,
    scenario,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(409, 410);
    await signInWithoutDrafts(scenario, signInAs);
    await deleteSubmittedListings(scenario);
    await open(page, ADD_LISTING_PATH);
    await fillForm(page);
    await expectDraftSaved(page);
    const other = await context.newPage();
    // Both show the same form: the draft as it is stored.
    for (const tab of [page, other]) {
      await open(tab, ADD_LISTING_PATH);
      await expectFilled(tab);
    }
    const panels = photoPanels(other);
    await panels.files.setInputFiles(await createPhotos('a.jpg'));
    await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible(ENCODED);
    await submitButton(page).click();
    await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
    const [listing] = await submittedListings(scenario);
    const id = listing?.id ?? '';
    const system = testContext(scenario.db, {
      actor: { kind: 'system', name: 'test' },
      now: () => new Date(),
    });
    expect(await approveListing(system, { propertyId: id })).toEqual({ ok: true });
    await submitButton(other).click();
    await expect(toastOf(other, 'This property was already submitted')).toContainText(
      '1 photo of this page was not added to it. Open it in My Properties to add photos.',
    );
    expect(await photosIn(scenario, id)).toEqual([]);
  });

  test('a failed one that is removed is not asked about', async ({ page, scenario, expectConsole }) => {
    expectConsole(401);
    await openPhotoForm(page, scenario, '9 Waiting Row');
    await page.route(UPLOADS, (route) => route.fulfill({ status: 401, body: '{}' }));
    await photoPanels(page).files.setInputFiles(await createPhotos('a.jpg'));
    await page.getByRole('button', { name: 'Remove a.jpg' }).click();
    await expect(page.getByText('1 photo was not uploaded')).toHaveCount(0);
    await page.getByRole('button', { name: 'Update Property' }).click();
    await expect(toastOf(page, 'Property updated')).toBeVisible();
  });

  test('what is on its way when the page is loaded again still arrives', async ({
    page,
    scenario,
    expectConsole,
  }) => {
    expectConsole(/ERR_FAILED/);
    const id = await openPhotoForm(page, scenario, '10 Waiting Row');
    const panels = photoPanels(page);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.route(UPLOADS, (route) => route.abort());
    await panels.files.setInputFiles(await createPhotos('a.jpg', 'b.jpg'));
    const tryingAgain = page.getByText('Trying again', { exact: true });
    await expect(tryingAgain).toHaveCount(2);
    await page.reload();
    await expect(tryingAgain).toHaveCount(2);
    await page.unroute(UPLOADS);
    await page.reload();
    await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible(ENCODED);
    await expect(panels.stored).toHaveCount(1, ENCODED);
    expect(await photosIn(scenario, id)).toHaveLength(2);
    // It has arrived, so nothing is left to send.
    await page.reload();
    await expect(panels.more.getByText('2 of 50 photos.')).toBeVisible();
  });

  test('what is on its way when the page leaves for the sign-in page arrives after signing in', async ({
    page,
    scenario,
    context,
    expectConsole,
  }) => {
    expectConsole(/ERR_FAILED/);
    const id = await openPhotoForm(page, scenario, '11 Waiting Row');
    const panels = photoPanels(page);
    await page.route(UPLOADS, (route) => route.abort());
    await panels.files.setInputFiles(await createPhotos('a.jpg', 'b.jpg'));
    await expect(page.getByText('Trying again', { exact: true })).toHaveCount(2);
    // A second tab finds the session ended, and tells this one.
    await context.clearCookies();
    await open(await context.newPage(), '/');
    await expect(page).toHaveURL(/\/agent\/login\?next=/);
    await page.unroute(UPLOADS);
    await signIn(page, SELLER, DEMO_PASSWORD);
    await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible(ENCODED);
    await expect(panels.stored).toHaveCount(1, ENCODED);
    expect(await photosIn(scenario, id)).toHaveLength(2);
  });

  test('what is on its way when the page is left by a link is forgotten', async ({
    page,
    scenario,
    expectConsole,
  }) => {
    expectConsole(/ERR_FAILED/);
    const id = await openPhotoForm(page, scenario, '12 Waiting Row');
    const panels = photoPanels(page);
    await page.route(UPLOADS, (route) => route.abort());
    await panels.files.setInputFiles(await createPhotos('a.jpg'));
    await expect(page.getByText('Trying again', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'My Properties' }).first().click();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await expect(page).toHaveURL(/\/agent\/properties$/);
    await page.unroute(UPLOADS);
    await open(page, `/agent/properties/${id}/edit`);
    // What were not forgotten would be sent before it.
    await panels.files.setInputFiles(await createPhotos('b.jpg'));
    await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible(ENCODED);
    expect(await photosIn(scenario, id)).toHaveLength(1);
  });
});
