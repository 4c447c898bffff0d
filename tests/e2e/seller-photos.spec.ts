import type { Page } from '@playwright/test';
import { withPictures } from '#tests/support/browser/launch-options.ts';
import { openPhotoForm, photosIn } from '#tests/support/browser/photo-form.ts';
import { expect, open, test } from '#tests/support/browser/scenario.ts';
import { createDataTransfer, createPhotos, photoPanels, sampleFiles } from '#tests/support/files/photos.ts';

/** Photos are encoded one after the other, beside whatever else the machine does. */
const ENCODED = { timeout: 60_000 };

test.use(withPictures);

const SELLER = 'seller@acre.test';

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
    const id = await openPhotoForm(page, scenario, '1 Awkward Row');
    const panels = photoPanels(page);
    await panels.files.setInputFiles(files);
    // Generous timeouts for a busy machine: the processing time is tested in process.test.ts.
    await expect(panels.more.getByText('11 of 50 photos.')).toBeVisible({ timeout: 240_000 });
    await expect(panels.stored).toHaveCount(10, { timeout: 240_000 });
    await expect(panels.main.getByRole('img')).toBeVisible();
    await expect(panels.refused).toHaveText([
      /^bomb\.gif This file is not a picture we can use\./,
      /^broken-heic\.heic This picture is damaged or incomplete\./,
      /^broken-stream\.png This picture is damaged or incomplete\./,
      /^claims-64250x64250\.jpg This picture has too many pixels/,
      /^corrupt-header\.jpg This picture is damaged or incomplete\./,
      /^truncated\.jpg This picture is damaged or incomplete\./,
    ]);
    await page.getByRole('button', { name: 'Dismiss bomb.gif' }).click();
    await expect(panels.refused).toHaveCount(5);

    // High enough for the strip below the picture.
    await page.setViewportSize({ width: 1280, height: 900 });
    await open(page, `/property/${id}`);
    const shown = page.locator('.carousel-track img');
    await expect(shown).toHaveCount(11);
    for (const [index, image] of (await shown.all()).entries()) {
      await expect(image).toHaveAttribute('alt', `Photo ${index + 1} of 11, 1 Awkward Row`);
      await expect(image).toHaveAttribute('width', /^\d+$/);
      await expect(image).toHaveAttribute('height', /^\d+$/);
      await expect(image).toHaveAttribute('style', /data:image\/webp/);
    }
    // A photo with an EXIF rotation: the result must be rotated already.
    await expect(shown.and(page.locator('[width="1200"][height="900"]'))).toHaveCount(1);
    // What a phone stores lying on its side.
    await expect(shown.and(page.locator('[width="384"][height="512"]'))).toHaveCount(1);
    // Half of a thumbnail shows that the strip goes on; the chosen one is in view.
    const thumbs = page.locator('.thumbs > button');
    await expect(thumbs.nth(4)).toBeInViewport({ ratio: 0.2 });
    await expect(thumbs.nth(4)).not.toBeInViewport({ ratio: 0.9 });
    await page.getByRole('button', { name: 'Previous image' }).click();
    await expect(thumbs.nth(10)).toBeInViewport({ ratio: 0.9 });
    await open(page, '/agent/properties');
    const pictures = page.locator('.own-listings .cell img');
    const lefts = await pictures.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    expect(new Set(lefts).size).toBe(1);
    await page.goBack();
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
  const id = await openPhotoForm(page, scenario, '2 Choosing Row');
  const panels = photoPanels(page);
  // The camera button is for touch screens.
  await expect(page.locator('.photo-camera')).toBeVisible({ visible: isMobile });
  await panels.mainFile.setInputFiles(await createPhotos('front.jpg'));
  await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible(ENCODED);
  await panels.files.setInputFiles(await createPhotos('a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'));
  await expect(panels.stored).toHaveCount(5, ENCODED);

  const dropped = await createDataTransfer(page, await createPhotos('dropped-1.jpg', 'dropped-2.jpg'));
  await panels.more.locator('.drop').dispatchEvent('dragover', { dataTransfer: dropped });
  await expect(panels.more.locator('.drop')).toHaveClass(/drop-over/);
  await panels.more.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped });
  await expect(panels.stored).toHaveCount(7, ENCODED);

  const pasted = await createDataTransfer(page, await createPhotos('pasted.jpg'));
  await page.evaluate(
    (clipboardData) => document.dispatchEvent(new ClipboardEvent('paste', { clipboardData })),
    pasted,
  );
  await expect(panels.stored).toHaveCount(8, ENCODED);
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
    const id = await openPhotoForm(page, scenario, '3 Ordering Row');
    const panels = photoPanels(page);
    await panels.files.setInputFiles(await createPhotos('m.jpg', 'a.jpg', 'b.jpg', 'c.jpg'));
    await expect(panels.stored).toHaveCount(3, ENCODED);
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
    await expect(panels.stored).toHaveCount(3, ENCODED);
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

  test('captions are shown on the public page', async ({ page, scenario }) => {
    const panels = photoPanels(page);
    await panels.stored
      .first()
      .getByRole('button', { name: /^Describe/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Describe photo' });
    await dialog.getByLabel('Caption').fill('Kitchen');
    await dialog.getByLabel('Caption').press('Enter');
    await expect(panels.tile('Kitchen')).toBeVisible();
    await expect
      .poll(async () => (await photosIn(scenario, propertyId())).map(({ caption }) => caption))
      .toContain('Kitchen');
    // Enter in the dialog must not submit the form around it.
    await expect(page).toHaveURL(/\/edit$/);
    await open(page, `/property/${propertyId()}`);
    await page.getByRole('button', { name: 'Next image' }).click();
    await expect(page.locator('.carousel-caption')).toHaveText('Kitchen');
  });
});
