import type { Page } from '@playwright/test';
import { expect, type OwnMarket, open, test, toastOf } from '#tests/support/own-market.ts';
import { photographs, photoPanels, realFiles, transferOf } from '#tests/support/photo-files.ts';

const SELLER = 'seller@acre.test';
const UPLOADS = '**/agent/uploads/**';
const editOf = (id: string) => `/agent/properties/${id}/edit`;

/** The form of a new listing, open. */
async function openForm(page: Page, market: OwnMarket, address: string): Promise<string> {
  const id = await market.house({ address, title: address });
  await open(page, editOf(id));
  return id;
}

const photosIn = (market: OwnMarket, id: string) =>
  market.db
    .q()
    .selectFrom('property_images')
    .select(['id', 'is_main', 'caption', 'alt'])
    .where('property_id', '=', id)
    .orderBy('is_main', 'desc')
    .orderBy('position')
    .execute();

test.beforeEach(async ({ market, enter }) => {
  await market.db.q().deleteFrom('rate_limits').execute();
  await enter(SELLER, 'agent');
});

test.describe('real files', { tag: '@desktop' }, () => {
  const awkward = realFiles('images-awkward');
  const real = realFiles('photos-cc0');
  test.skip(!awkward || !real, '../shared/data is absent');

  test('every awkward file ends in a picture or a clear refusal, and the good ones on the public page', async ({
    page,
    market,
    expectConsole,
  }) => {
    test.setTimeout(300_000);
    // The last is the tracer's, which would keep the previews too.
    expectConsole(/status of 422/, /Connecting to 'blob:/);
    const files = [...(real ?? []), ...(awkward ?? [])];
    const id = await openForm(page, market, '1 Awkward Row');
    const panels = photoPanels(page);
    await panels.files.setInputFiles(files);
    // Heavy work for a busy machine: how long one may take is measured in process.test.ts.
    await expect(panels.more.getByText(`17 of 50 photos.`)).toBeVisible({ timeout: 240_000 });
    await expect(panels.stored).toHaveCount(16, { timeout: 240_000 });
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
    await expect(shown).toHaveCount(17);
    for (const image of await shown.all()) {
      await expect(image).toHaveAttribute('width', /^\d+$/);
      await expect(image).toHaveAttribute('height', /^\d+$/);
      await expect(image).toHaveAttribute('style', /data:image\/webp/);
    }
    // Taken upright with the camera turned: what arrives is upright by itself.
    await expect(shown.and(page.locator('[width="1800"][height="1200"]'))).toHaveCount(1);
    const chosen = await shown.first().evaluate((image: HTMLImageElement) => image.currentSrc);
    expect(chosen).toMatch(/\/media\/images\/[0-9a-f-]{36}\/\d+\.avif$/);
    const bytes = await (await page.request.get(chosen)).body();
    expect(bytes.toString('latin1')).not.toMatch(/Exif|GPS|http:\/\/ns\.adobe/);
  });
});

test('files are chosen, dropped and pasted, and stand in their order', async ({ page, market }) => {
  test.slow();
  const id = await openForm(page, market, '2 Choosing Row');
  const panels = photoPanels(page);
  await panels.mainFile.setInputFiles(await photographs('front.jpg'));
  await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible();
  await panels.files.setInputFiles(await photographs('a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'));
  await expect(panels.stored).toHaveCount(5);

  const dropped = await transferOf(page, await photographs('dropped-1.jpg', 'dropped-2.jpg'));
  await panels.more.locator('.drop').dispatchEvent('dragover', { dataTransfer: dropped });
  await expect(panels.more.locator('.drop')).toHaveClass(/drop-over/);
  await panels.more.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped });
  await expect(panels.stored).toHaveCount(7);

  const pasted = await transferOf(page, await photographs('pasted.jpg'));
  await page.evaluate(
    (clipboardData) => document.dispatchEvent(new ClipboardEvent('paste', { clipboardData })),
    pasted,
  );
  await expect(panels.stored).toHaveCount(8);
  // Words that are pasted into a field stay words.
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
  const order = await panels.stored.evaluateAll((tiles) =>
    tiles.map((tile) => (tile as HTMLElement).dataset.photo),
  );
  const stored = await photosIn(market, id);
  expect(order).toEqual(stored.slice(1).map((photo) => photo.id));
  await page.reload();
  await expect(panels.stored).toHaveCount(8);
  expect(
    await panels.stored.evaluateAll((tiles) => tiles.map((tile) => (tile as HTMLElement).dataset.photo)),
  ).toEqual(order);
});

test('photographs hang on a listing that is not there yet', { tag: '@desktop' }, async ({ page, market }) => {
  await market.db.q().deleteFrom('property_drafts').execute();
  await open(page, '/agent/properties/add');
  const panels = photoPanels(page);
  // All three begin the draft at the same moment.
  await panels.files.setInputFiles(await photographs('a.jpg', 'b.jpg', 'c.jpg'));
  await expect(panels.stored).toHaveCount(2);
  await expect(panels.main.getByRole('img')).toBeVisible();
  await page.reload();
  await expect(panels.stored).toHaveCount(2);
  await expect(panels.main.getByRole('img')).toBeVisible();
});

test.describe('what a seller does with them', () => {
  test.slow();
  test.beforeEach(async ({ page, market }) => {
    const id = await openForm(page, market, '3 Ordering Row');
    const panels = photoPanels(page);
    await panels.files.setInputFiles(await photographs('m.jpg', 'a.jpg', 'b.jpg', 'c.jpg'));
    await expect(panels.stored).toHaveCount(3);
    await expect(panels.main.getByRole('img')).toBeVisible();
    test.info().annotations.push({ type: 'house', description: id });
  });
  const house = () => test.info().annotations.find(({ type }) => type === 'house')?.description ?? '';
  const order = (page: Page) =>
    photoPanels(page).stored.evaluateAll((tiles) => tiles.map((tile) => (tile as HTMLElement).dataset.photo));

  test('moves them by keyboard, and the focus goes along', async ({ page, market }) => {
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
    // At the end it goes no further.
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status').filter({ hasText: 'now at place 3 of 3' })).toBeAttached();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => order(page)).toEqual([b, a, c]);
    await expect
      .poll(async () => (await photosIn(market, house())).slice(1).map(({ id }) => id))
      .toEqual([b, a, c]);
  });

  test('drags them; Escape lets go', { tag: '@desktop' }, async ({ page, market }) => {
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
      .poll(async () => (await photosIn(market, house())).slice(1).map(({ id }) => id))
      .toEqual([c, a, b]);
    await expect.poll(() => order(page)).toEqual([c, a, b]);
  });

  test('makes one the main image, describes one, takes one away', async ({ page, market }) => {
    const panels = photoPanels(page);
    const [a, b, c] = await order(page);
    const [m] = (await photosIn(market, house())).map(({ id }) => id);
    await panels.stored
      .nth(1)
      .getByRole('button', { name: /^Make .* the main image$/ })
      .click();
    await expect
      .poll(async () => (await photosIn(market, house())).map(({ id }) => id))
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
      .poll(async () => (await photosIn(market, house()))[0])
      .toMatchObject({ id: b, caption: 'The porch in May', alt: 'A porch with two brass lamps' });

    // The next one takes over (B-039); Cancel leaves everything.
    const remove = panels.main.getByRole('button', { name: 'Remove The porch in May' });
    const question = page.getByRole('alertdialog', { name: 'Remove photo?' });
    await remove.click();
    await expect(question).toContainText('The next photo becomes the main image.');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(panels.stored).toHaveCount(3);
    await remove.click();
    await question.getByRole('button', { name: 'Remove Photo' }).click();
    await expect(panels.stored).toHaveCount(2);
    await expect.poll(async () => (await photosIn(market, house())).map(({ id }) => id)).toEqual([a, m, c]);
    await open(page, `/property/${house()}`);
    await expect(page.locator('.carousel-track img')).toHaveCount(3);
  });

  test('captions and alternative texts are on the public page', { tag: '@desktop' }, async ({ page }) => {
    const panels = photoPanels(page);
    await panels.stored
      .first()
      .getByRole('button', { name: /^Describe/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Describe photo' });
    await dialog.getByLabel('Caption').fill('Kitchen');
    await dialog.getByLabel('Caption').press('Enter');
    await expect(panels.tile('Kitchen')).toBeVisible();
    // Enter in the dialog did not send the form around it.
    await expect(page).toHaveURL(/\/edit$/);
    await open(page, `/property/${house()}`);
    await page.getByRole('button', { name: 'Next image' }).click();
    await expect(page.locator('.carousel-caption')).toHaveText('Kitchen');
  });
});

test.describe('a network that fails', { tag: '@desktop' }, () => {
  test.slow();

  test('uploads go on by themselves when the connection is back, and arrive once', async ({
    page,
    market,
    context,
    expectConsole,
  }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    const id = await openForm(page, market, '4 Failing Row');
    const panels = photoPanels(page);
    // The first one arrives, but its answer does not.
    let lostAnswers = 0;
    await page.route(UPLOADS, async (route) => {
      if (lostAnswers > 0) return route.fallback();
      lostAnswers += 1;
      await route.fetch();
      await context.setOffline(true);
      return route.abort();
    });
    await panels.files.setInputFiles(await photographs('a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'));
    await expect(page.getByText('Trying again').first()).toBeVisible();
    await expect(
      page.getByText('The connection was lost. It is tried again by itself.').first(),
    ).toBeVisible();
    await context.setOffline(false);
    await expect(panels.stored).toHaveCount(3);
    await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible();
    expect(await photosIn(market, id)).toHaveLength(4);
  });

  test('an upload is cancelled, and one that the server fails is tried again by hand', async ({
    page,
    market,
    expectConsole,
  }) => {
    expectConsole(/status of 503/, /^503 /);
    const id = await openForm(page, market, '5 Failing Row');
    const panels = photoPanels(page);
    const held: (() => Promise<void>)[] = [];
    await page.route(UPLOADS, (route) => void held.push(() => route.continue()));
    await panels.files.setInputFiles(await photographs('m.jpg', 'a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'));
    // Three at a time.
    await expect.poll(() => held.length).toBe(3);
    await expect(panels.tile('c.jpg')).toContainText('Waiting');
    await page.getByRole('button', { name: 'Cancel a.jpg' }).click();
    await expect(panels.tile('a.jpg')).toHaveCount(0);
    await expect.poll(() => held.length).toBe(4);
    await page.unroute(UPLOADS);
    await Promise.all(held.map((go) => go().catch(() => undefined)));
    await expect(panels.stored).toHaveCount(3);
    expect(await photosIn(market, id)).toHaveLength(4);

    await page.clock.install();
    await page.route(UPLOADS, (route) => route.fulfill({ status: 503, body: 'away' }));
    await panels.files.setInputFiles(await photographs('late.jpg'));
    for (let n = 0; n < 5; n++) {
      await page.clock.runFor(31_000);
      await page.waitForTimeout(300);
    }
    await expect(panels.tile('late.jpg')).toContainText('Not uploaded');
    await expect(panels.tile('late.jpg')).toContainText('Something went wrong on our side.');
    await page.unroute(UPLOADS);
    await page.getByRole('button', { name: 'Retry late.jpg' }).click();
    await expect(panels.stored).toHaveCount(4);
  });

  test('a session that has ended says so, and goes on after signing in', async ({
    page,
    market,
    context,
    enter,
    expectConsole,
  }) => {
    expectConsole(/status of 401/);
    await openForm(page, market, '6 Failing Row');
    const panels = photoPanels(page);
    const cookies = await context.cookies();
    await context.clearCookies();
    await panels.files.setInputFiles(await photographs('a.jpg'));
    await expect(panels.main).toContainText('You have been signed out.');
    await context.addCookies(cookies);
    await enter(SELLER, 'agent');
    await page.getByRole('button', { name: 'Retry a.jpg' }).click();
    await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible();
  });

  test('a change that does not arrive is taken back and said', async ({ page, market, expectConsole }) => {
    expectConsole(/ERR_FAILED/);
    await openForm(page, market, '7 Failing Row');
    const panels = photoPanels(page);
    await panels.files.setInputFiles(await photographs('m.jpg', 'a.jpg', 'b.jpg'));
    await expect(panels.stored).toHaveCount(2);
    const order = () =>
      panels.stored.evaluateAll((tiles) => tiles.map((tile) => (tile as HTMLElement).dataset.photo));
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
