import type { Page } from '@playwright/test';
import { withPictures } from '#tests/support/browser/launch-options.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';
import { createDataTransfer, createPhotos, photoPanels, sampleFiles } from '#tests/support/files/photos.ts';

test.use(withPictures);

const SELLER = 'seller@acre.test';
const UPLOADS = '**/agent/uploads/**';
const editOf = (id: string) => `/agent/properties/${id}/edit`;

/** Creates a listing and opens its form; returns its id. */
async function openForm(page: Page, scenario: Scenario, address: string): Promise<string> {
  const id = await scenario.createListing({ address, title: address });
  await open(page, editOf(id));
  return id;
}

const photosIn = (scenario: Scenario, id: string) =>
  scenario.db
    .q()
    .selectFrom('property_images')
    .select(['id', 'is_main', 'caption', 'alt'])
    .where('property_id', '=', id)
    .orderBy('is_main', 'desc')
    .orderBy('position')
    .execute();

test.beforeEach(async ({ scenario, signInAs }) => {
  await scenario.db.q().deleteFrom('rate_limits').execute();
  await signInAs(SELLER, 'agent');
});

test.describe('files', () => {
  test('every awkward file becomes a photo or gets a clear error, and the photos are on the public page', async ({
    page,
    scenario,
    expectConsole,
  }) => {
    test.setTimeout(300_000);
    // The last one comes from Playwright's tracer, which tries to record the previews.
    expectConsole(422, /Connecting to 'blob:/);
    const files = [...sampleFiles('photos'), ...sampleFiles('awkward-photos')];
    const id = await openForm(page, scenario, '1 Awkward Row');
    const panels = photoPanels(page);
    await panels.files.setInputFiles(files);
    // Generous timeouts for a busy machine: the processing time is tested in process.test.ts.
    await expect(panels.more.getByText('11 of 50 photos.')).toBeVisible({ timeout: 240_000 });
    await expect(panels.stored).toHaveCount(10, { timeout: 240_000 });
    await expect(panels.main.getByRole('img')).toBeVisible();
    await expect(panels.refused).toHaveText([
      /^broken-stream\.png This picture is damaged or incomplete\./,
      /^claims-64250x64250\.jpg This picture has too many pixels/,
      /^corrupt-header\.jpg This picture is damaged or incomplete\./,
      /^iphone\.heic HEIC photos cannot be read here\./,
      /^truncated\.jpg This picture is damaged or incomplete\./,
    ]);
    await page.getByRole('button', { name: 'Dismiss iphone.heic' }).click();
    await expect(panels.refused).toHaveCount(4);

    await open(page, `/property/${id}`);
    const shown = page.locator('.carousel-track img');
    await expect(shown).toHaveCount(11);
    for (const image of await shown.all()) {
      await expect(image).toHaveAttribute('width', /^\d+$/);
      await expect(image).toHaveAttribute('height', /^\d+$/);
      await expect(image).toHaveAttribute('style', /data:image\/webp/);
    }
    // A photo with an EXIF rotation: the result must be rotated already.
    await expect(shown.and(page.locator('[width="1200"][height="900"]'))).toHaveCount(1);
    const chosen = await shown.first().evaluate((image: HTMLImageElement) => image.currentSrc);
    expect(chosen).toMatch(/\/media\/images\/[0-9a-f-]{36}\/\d+\.avif$/);
    const bytes = await (await page.request.get(chosen)).body();
    expect(bytes.toString('latin1')).not.toMatch(/Exif|GPS|http:\/\/ns\.adobe/);
  });
});

test('files are chosen, dropped and pasted, and keep their order', { tag: '@phone' }, async ({
  page,
  scenario,
  isMobile,
}) => {
  test.slow();
  const id = await openForm(page, scenario, '2 Choosing Row');
  const panels = photoPanels(page);
  // The camera button is for touch screens.
  await expect(page.locator('.photo-camera')).toBeVisible({ visible: isMobile });
  await panels.mainFile.setInputFiles(await createPhotos('front.jpg'));
  await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible();
  await panels.files.setInputFiles(await createPhotos('a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'));
  await expect(panels.stored).toHaveCount(5);

  const dropped = await createDataTransfer(page, await createPhotos('dropped-1.jpg', 'dropped-2.jpg'));
  await panels.more.locator('.drop').dispatchEvent('dragover', { dataTransfer: dropped });
  await expect(panels.more.locator('.drop')).toHaveClass(/drop-over/);
  await panels.more.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped });
  await expect(panels.stored).toHaveCount(7);

  const pasted = await createDataTransfer(page, await createPhotos('pasted.jpg'));
  await page.evaluate(
    (clipboardData) => document.dispatchEvent(new ClipboardEvent('paste', { clipboardData })),
    pasted,
  );
  await expect(panels.stored).toHaveCount(8);
  // Pasted text is not an upload.
  const words = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.setData('text/plain', 'words');
    return transfer;
  });
  await page.evaluate(
    (clipboardData) => document.dispatchEvent(new ClipboardEvent('paste', { clipboardData })),
    words,
  );
  await expect(panels.more.getByText('9 of 50 photos.')).toBeVisible();
  const order = await panels.stored.evaluateAll((tiles) => tiles.map((tile) => tile.dataset.photo));
  const stored = await photosIn(scenario, id);
  expect(order).toEqual(stored.slice(1).map((photo) => photo.id));
  await page.reload();
  await expect(panels.stored).toHaveCount(8);
  expect(await panels.stored.evaluateAll((tiles) => tiles.map((tile) => tile.dataset.photo))).toEqual(order);
});

test('photos can be added to a listing that is not submitted yet', async ({ page, scenario }) => {
  await scenario.db.q().deleteFrom('property_drafts').execute();
  await open(page, '/agent/properties/add');
  const panels = photoPanels(page);
  // All three uploads create the draft at the same moment.
  await panels.files.setInputFiles(await createPhotos('a.jpg', 'b.jpg', 'c.jpg'));
  await expect(panels.stored).toHaveCount(2);
  await expect(panels.main.getByRole('img')).toBeVisible();
  await page.reload();
  await expect(panels.stored).toHaveCount(2);
  await expect(panels.main.getByRole('img')).toBeVisible();
});

test.describe('editing photos', () => {
  test.slow();
  test.beforeEach(async ({ page, scenario }) => {
    const id = await openForm(page, scenario, '3 Ordering Row');
    const panels = photoPanels(page);
    await panels.files.setInputFiles(await createPhotos('m.jpg', 'a.jpg', 'b.jpg', 'c.jpg'));
    await expect(panels.stored).toHaveCount(3);
    await expect(panels.main.getByRole('img')).toBeVisible();
    test.info().annotations.push({ type: 'listing', description: id });
  });
  const propertyId = () => test.info().annotations.find(({ type }) => type === 'listing')?.description ?? '';
  const order = (page: Page) =>
    photoPanels(page).stored.evaluateAll((tiles) => tiles.map((tile) => tile.dataset.photo));

  test('moving by keyboard keeps the focus', async ({ page, scenario }) => {
    const panels = photoPanels(page);
    const [a, b, c] = await order(page);
    await panels.stored
      .first()
      .getByRole('button', { name: /later$/ })
      .focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => order(page)).toEqual([b, a, c]);
    await expect(page.locator(`[data-photo="${a}"] [data-tool="later"]`)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect.poll(() => order(page)).toEqual([b, c, a]);
    await expect(page.locator(`[data-photo="${a}"] [data-tool="later"]`)).toBeFocused();
    // The last photo cannot move further.
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status').filter({ hasText: 'now photo 3 of 3' })).toBeAttached();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => order(page)).toEqual([b, a, c]);
    await expect
      .poll(async () => (await photosIn(scenario, propertyId())).slice(1).map(({ id }) => id))
      .toEqual([b, a, c]);
  });

  test('dragging, and cancelling with Escape', async ({ page, scenario }) => {
    const panels = photoPanels(page);
    const [a, b, c] = await order(page);
    const middle = async (index: number) => {
      const box = await panels.stored.nth(index).locator('.upl').boundingBox();
      return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
    };
    await panels.stored.nth(2).scrollIntoViewIfNeeded();
    const [first, last] = [await middle(0), await middle(2)];
    await page.mouse.move(last.x, last.y);
    await page.mouse.down();
    await page.mouse.move(first.x, first.y, { steps: 8 });
    await expect.poll(() => order(page)).toEqual([c, a, b]);
    await page.keyboard.press('Escape');
    await expect.poll(() => order(page)).toEqual([a, b, c]);
    await page.mouse.up();
    await page.mouse.move(last.x, last.y);
    await page.mouse.down();
    await page.mouse.move(first.x, first.y, { steps: 8 });
    await page.mouse.up();
    await expect
      .poll(async () => (await photosIn(scenario, propertyId())).slice(1).map(({ id }) => id))
      .toEqual([c, a, b]);
    await expect.poll(() => order(page)).toEqual([c, a, b]);
  });

  test('choosing the main image, describing and removing', { tag: '@phone' }, async ({ page, scenario }) => {
    const panels = photoPanels(page);
    const [a, b, c] = await order(page);
    const [m] = (await photosIn(scenario, propertyId())).map(({ id }) => id);
    await panels.stored
      .nth(1)
      .getByRole('button', { name: /^Make .* the main image$/ })
      .click();
    await expect
      .poll(async () => (await photosIn(scenario, propertyId())).map(({ id }) => id))
      .toEqual([b, a, m, c]);
    await expect.poll(() => order(page)).toEqual([a, m, c]);

    await panels.main.getByRole('button', { name: 'Describe' }).click();
    const dialog = page.getByRole('dialog', { name: 'Describe photo' });
    await dialog.getByLabel('Caption').fill('The porch in May');
    await dialog.getByLabel('Alternative text').fill('A porch with two brass lamps');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(panels.main.getByText('The porch in May')).toBeVisible();
    await expect
      .poll(async () => (await photosIn(scenario, propertyId()))[0])
      .toMatchObject({ id: b, caption: 'The porch in May', alt: 'A porch with two brass lamps' });

    // Removing the main image promotes the next photo; Cancel changes nothing.
    const remove = panels.main.getByRole('button', { name: 'Remove The porch in May' });
    const question = page.getByRole('alertdialog', { name: 'Remove photo?' });
    await remove.click();
    await expect(question).toContainText('The next photo becomes the main image.');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(panels.stored).toHaveCount(3);
    await remove.click();
    await question.getByRole('button', { name: 'Remove Photo' }).click();
    await expect(panels.stored).toHaveCount(2);
    await expect
      .poll(async () => (await photosIn(scenario, propertyId())).map(({ id }) => id))
      .toEqual([a, m, c]);
    await open(page, `/property/${propertyId()}`);
    await expect(page.locator('.carousel-track img')).toHaveCount(3);
  });

  test('what is typed about a photo stays when the answer to an earlier change arrives', async ({
    page,
    scenario,
  }) => {
    const panels = photoPanels(page);
    const [, b] = await order(page);
    let answer = () => {};
    const typed = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/photos\b/, async (route) => {
      if (!/intent=main/.test(route.request().postData() ?? '')) return route.continue();
      const response = await route.fetch();
      await typed;
      await route.fulfill({ response });
    });
    await panels.stored
      .nth(1)
      .getByRole('button', { name: /^Make .* the main image$/ })
      .click();
    await panels.main.getByRole('button', { name: 'Describe' }).click();
    const dialog = page.getByRole('dialog', { name: 'Describe photo' });
    await dialog.getByLabel('Caption').fill('The porch in May');
    answer();
    await expect(page.getByRole('status').filter({ hasText: 'is now the main image' })).toBeAttached();
    await expect(dialog.getByLabel('Caption')).toHaveValue('The porch in May');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(panels.main.getByText('The porch in May')).toBeVisible();
    await expect
      .poll(async () => (await photosIn(scenario, propertyId()))[0])
      .toMatchObject({ id: b, caption: 'The porch in May' });
  });

  test('captions are shown on the public page', async ({ page }) => {
    const panels = photoPanels(page);
    await panels.stored
      .first()
      .getByRole('button', { name: /^Describe/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Describe photo' });
    await dialog.getByLabel('Caption').fill('Kitchen');
    await dialog.getByLabel('Caption').press('Enter');
    await expect(panels.tile('Kitchen')).toBeVisible();
    // Enter in the dialog must not submit the form around it.
    await expect(page).toHaveURL(/\/edit$/);
    await open(page, `/property/${propertyId()}`);
    await page.getByRole('button', { name: 'Next image' }).click();
    await expect(page.locator('.carousel-caption')).toHaveText('Kitchen');
  });
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
    const id = await openForm(page, scenario, '4 Failing Row');
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
    await expect(panels.stored).toHaveCount(3);
    await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible();
    expect(await photosIn(scenario, id)).toHaveLength(4);
  });

  test('an upload can be cancelled, and one that fails on the server can be retried', async ({
    page,
    scenario,
    expectConsole,
  }) => {
    expectConsole(503);
    const id = await openForm(page, scenario, '5 Failing Row');
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
    await expect(panels.stored).toHaveCount(3);
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
    await expect(panels.stored).toHaveCount(4);
  });

  test('an expired session is reported, and the upload continues after signing in', async ({
    page,
    scenario,
    context,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(401);
    await openForm(page, scenario, '6 Failing Row');
    const panels = photoPanels(page);
    const cookies = await context.cookies();
    await context.clearCookies();
    await panels.files.setInputFiles(await createPhotos('a.jpg'));
    await expect(panels.main).toContainText('You have been signed out.');
    await context.addCookies(cookies);
    await signInAs(SELLER, 'agent');
    await page.getByRole('button', { name: 'Retry a.jpg' }).click();
    await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible();
  });

  test('a change that fails is rolled back with an error', async ({ page, scenario, expectConsole }) => {
    expectConsole(/ERR_FAILED/);
    await openForm(page, scenario, '7 Failing Row');
    const panels = photoPanels(page);
    await panels.files.setInputFiles(await createPhotos('m.jpg', 'a.jpg', 'b.jpg'));
    await expect(panels.stored).toHaveCount(2);
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
