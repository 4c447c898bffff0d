import { wholeDollars } from '#platform/money.ts';
import { withPictures } from '#tests/support/browser/launch-options.ts';
import { expect, open, statusOf, test } from '#tests/support/browser/signed-in-test.ts';
import { demoListing, larkspurLane, pathOf, totalOf } from '#tests/support/fixtures/demo-listings.ts';

test.use(withPictures);

const summit = demoListing('Active', ({ row }) => row.address === '1170 Summit Terrace');
const lot = demoListing('Active', ({ row }) => row.address === 'Lot 7, Orchard Road');

test.describe('a property', () => {
  test('is read in the order in which a telephone shows it', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, pathOf(summit));
    const parts = page.locator('.detail').locator('.carousel, .place, .buybox, .about, .detail-more');
    const [names, tops] = await parts.evaluateAll((all) => [
      all.map(({ classList }) => classList[0]),
      all.map((part) => part.getBoundingClientRect().top),
    ]);
    expect(names).toEqual(['carousel', 'place', 'buybox', 'about', 'detail-more']);
    expect(tops).toEqual(tops?.toSorted((one, other) => one - other));
  });

  test('shows its facts, price breakdown, seller and fees', async ({ page }) => {
    await page.goto(pathOf(summit));
    await expect(page).toHaveTitle(/Fernridge, WA 98045 · Acre Trading Post$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('1170 Summit Terrace');
    await expect(page.locator('.factrow li')).toHaveText([
      '5 bedrooms',
      '4 bathrooms',
      '3,960 square feet',
      'Single Family',
    ]);
    await expect(page.locator('.specs dt').first()).toHaveText('Year Built');
    await expect(page.locator('.specs dt')).toContainText([
      'Year Built',
      'Square Feet',
      'Bedrooms',
      'Bathrooms',
    ]);
    const price = page.getByRole('region', { name: 'Price' });
    await expect(price.locator('.price')).toHaveText('$1,273,455');
    await expect(price.locator('.bbs')).toHaveText('5 bd | 4 ba | 3,960 sqft');
    await expect(price.locator('dl > div')).toHaveText([
      /Base price.*\$1,248,000/s,
      /Buyer Protection \(1\.5%\).*\$18,720/s,
      /Title & Escrow \(0\.5%\).*\$6,240/s,
      /Closing Coordination.*\$495/s,
      /Total price.*\$1,273,455/s,
    ]);
    await expect(
      page.getByText(
        'Total price includes Buyer Protection (1.5%), Title & Escrow (0.5%) and Closing Coordination.',
        {
          exact: true,
        },
      ),
    ).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Seller Information' })).toBeVisible();
    const mail = page.getByRole('link', { name: summit.seller.email });
    await expect(mail).toHaveAttribute('href', `mailto:${summit.seller.email}`);
    await expect(page.locator('.seller .name')).toHaveText(summit.seller.name);
    await expect(page.getByRole('link', { name: 'Back to Properties' })).toHaveAttribute(
      'href',
      '/properties',
    );
    await expect(
      page.getByRole('complementary', { name: 'Price and seller' }).locator('.btn, .diag button'),
    ).toHaveText([
      'Escrow with Card/Bank Transfer',
      'Pay with Crypto',
      'Inquire About Property',
      'Run Payment Diagnostics',
    ]);
  });

  test('names the area of a lot as land, once, and nothing that only a house has', async ({ page }) => {
    await page.goto(pathOf(lot));
    await expect(page.locator('.factrow li')).toHaveText(['1 acre of land', 'Vacant Lot']);
    await expect(page.locator('.specs dt')).toHaveText(['Square Feet', 'Lot Size', 'Neighborhood']);
    await expect(page.locator('.specs dd')).toHaveText(['N/A', '43,560 sqft', 'Lower Orchard']);
    await expect(page.getByRole('region', { name: 'Price' }).locator('.bbs')).toHaveText('1 acre lot');
    const structured = await page.locator('script[type="application/ld+json"]').textContent();
    expect(structured).not.toContain('floorSize');
  });

  test('the price in the list equals the price on the page', async ({ page }) => {
    const total = wholeDollars(totalOf(larkspurLane));
    await open(page, '/properties?q=48+larkspur+lane');
    const card = page.getByRole('article').first();
    await expect(card.locator('.price')).toHaveText(total);
    await card.getByRole('link', { name: 'View Details' }).click();
    await expect(page.getByRole('region', { name: 'Price' }).locator('.price')).toHaveText(total);
  });
});

test.describe('pictures', () => {
  test('move by buttons, dots, thumbnails and arrow keys, and announce the position', {
    tag: '@phone',
  }, async ({ page, isMobile }) => {
    await open(page, pathOf(summit));
    const carousel = page
      .getByRole('group', { name: 'Drawings in place of photos of 1170 Summit Terrace' })
      .first();
    const images = carousel.locator('.carousel-track img');
    const position = carousel.locator('[aria-live=polite]');
    await expect(images).toHaveCount(4);
    await expect(position).toHaveText('Image 1 of 4');

    await carousel.getByRole('button', { name: 'Next image' }).click();
    await expect(position).toHaveText('Image 2 of 4');
    await expect(images.nth(1)).toBeInViewport({ ratio: 0.9 });
    await expect(images.nth(0)).not.toBeInViewport();
    await carousel.getByRole('button', { name: 'Previous image' }).click();
    await expect(position).toHaveText('Image 1 of 4');
    await expect(images.nth(0)).toBeInViewport({ ratio: 0.9 });
    await carousel.getByRole('button', { name: 'Image 3', exact: true }).click();
    await expect(position).toHaveText('Image 3 of 4');
    await expect(images.nth(2)).toBeInViewport({ ratio: 0.9 });
    await page.keyboard.press('ArrowRight');
    await expect(position).toHaveText('Image 4 of 4');
    await expect(images.nth(3)).toBeInViewport({ ratio: 0.9 });
    await page.keyboard.press('ArrowRight');
    await expect(position).toHaveText('Image 1 of 4');
    await page.keyboard.press('ArrowLeft');
    await expect(position).toHaveText('Image 4 of 4');
    await expect(images.nth(3)).toBeInViewport({ ratio: 0.9 });
    const thumbs = carousel.getByRole('button', { name: 'Show image 2' });
    if (isMobile) return expect(thumbs).toBeHidden();
    await thumbs.click();
    await expect(position).toHaveText('Image 2 of 4');
  });

  test('drawings in place of photos say so, here and in what other programs read', {
    tag: '@phone',
  }, async ({ page }) => {
    await open(page, pathOf(summit));
    const carousel = page.locator('.carousel');
    await expect(carousel.getByText('No images available')).toBeVisible();
    const images = carousel.locator('.carousel-track img');
    expect(await images.evaluateAll((all) => all.map((image) => image.getAttribute('alt')))).toEqual(
      [1, 2, 3, 4].map((number) => `Drawing ${number} of 4 in place of photos`),
    );
    const preview = page.locator('meta[property="og:image:alt"]');
    await expect(preview).toHaveAttribute('content', 'Drawing 1 of 1 in place of photos');
    const structured = await page.locator('script[type="application/ld+json"]').textContent();
    expect(JSON.parse(structured ?? '')).not.toHaveProperty('image');
    await open(page, '/properties?q=1170+summit+terrace');
    await expect(page.getByRole('article').first().locator('img')).toHaveAttribute('alt', '');
  });

  test('a swipe shows the next picture', { tag: '@phone' }, async ({ page }) => {
    await open(page, pathOf(summit));
    const track = page.locator('.carousel-track');
    const position = page.locator('.carousel [aria-live=polite]');
    await expect(track).toHaveCSS('scroll-snap-type', /x mandatory/);
    // Simulates a swipe: the browser scrolls the track, and it snaps.
    await track.evaluate((element) =>
      element.scrollTo({ left: element.clientWidth * 0.8, behavior: 'instant' }),
    );
    await expect(position).toHaveText('Image 2 of 4');
    await expect
      .poll(() => track.evaluate((element) => Math.abs(element.scrollLeft - element.clientWidth)))
      .toBeLessThan(2);
  });
});

test.describe('property pages by status', () => {
  for (const [status, badge] of [
    ['escrow', 'In Escrow'],
    ['Sold', 'Sold'],
  ] as const) {
    test(`${badge}: the page is shown, without inquiries`, async ({ page, request }) => {
      const listing = demoListing(status);
      expect(await statusOf(request, pathOf(listing))).toBe(200);
      await page.goto(pathOf(listing));
      await expect(
        page.getByRole('region', { name: 'Price' }).getByText(badge, { exact: true }),
      ).toBeVisible();
      await expect(page.getByRole('button', { name: 'Inquire About Property' })).toBeDisabled();
      await expect(page.getByText('This property is no longer accepting inquiries.')).toBeVisible();
      await expect(page.getByRole('button', { name: `Watch ${listing.row.address}` })).toBeVisible();
    });
  }

  test('pending, withdrawn, hidden and unknown properties: Property not found', async ({
    page,
    request,
    expectConsole,
  }) => {
    expectConsole(404, 410);
    const hidden = demoListing('Active', ({ seller }) => seller.row.status !== 'active');
    for (const [path, status] of [
      [pathOf(demoListing('pending')), 404],
      [pathOf(demoListing('rejected')), 404],
      [pathOf(hidden), 404],
      [pathOf(demoListing('withdrawn')), 410],
      ['/property/00000000-0000-4000-8000-000000000000', 404],
      ['/property/48-larkspur-lane', 404],
    ] as const) {
      expect(await statusOf(request, path), path).toBe(status);
      expect(await statusOf(request, `${path}/og.jpg`), path).toBe(404);
    }
    await page.goto(pathOf(demoListing('withdrawn')));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Property not found');
    await expect(page).toHaveTitle('Property not found · Acre Trading Post');
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    await expect(page.getByText(demoListing('withdrawn').row.address)).toHaveCount(0);
    await page.getByRole('link', { name: 'Back to Properties' }).click();
    await expect(page).toHaveURL('/properties');
  });
});

test.describe('metadata for crawlers', () => {
  test('structured data, canonical address and preview picture', async ({ page, request, baseURL }) => {
    await page.goto(`${pathOf(larkspurLane)}?utm_source=x`);
    const address = `${baseURL}${pathOf(larkspurLane)}`;
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', address);
    const text = (await page.locator('script[type="application/ld+json"]').textContent()) ?? '';
    const data = JSON.parse(text);
    expect(data).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'RealEstateListing',
      url: address,
      about: { '@type': 'SingleFamilyResidence', numberOfBedrooms: 4 },
      offers: { price: '757335.00', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
    });
    expect(text).not.toContain('@acre.test');
    const image = (await page.locator('meta[property="og:image"]').getAttribute('content')) ?? '';
    expect(image).toBe(`${baseURL}${pathOf(larkspurLane)}/og.jpg`);
    const answer = await request.get(image);
    expect(answer.headers()['content-type']).toBe('image/jpeg');
    expect(await sizeOf(page, image)).toEqual([1200, 630]);
  });

  test('the sitemap lists active properties, and robots.txt links to it', async ({ request, baseURL }) => {
    const map = await (await request.get('/sitemap.xml')).text();
    expect(map.match(/<loc>/g)?.length).toBe(240 + 7);
    expect(map).toContain(`<loc>${baseURL}${pathOf(larkspurLane)}</loc>`);
    expect(map).toContain(`<loc>${baseURL}/properties?type=vacant-lot</loc>`);
    for (const status of ['pending', 'withdrawn', 'Sold', 'escrow'] as const) {
      expect(map).not.toContain(demoListing(status).id);
    }
    const robots = await (await request.get('/robots.txt')).text();
    expect(robots).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
    expect(robots).toContain('Disallow: /buyer/');
    expect(robots).not.toMatch(/Disallow: \/propert/);
  });
});

const sizeOf = (page: import('@playwright/test').Page, src: string) =>
  page.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, src);
