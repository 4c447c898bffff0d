import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { createSession, expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

const picture = async (width: number, height: number) => ({
  name: 'hero.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width, height, channels: 3, background: '#7a9' } })
    .png()
    .toBuffer(),
});

test.afterEach(({ scenario }) => scenario.db.q().deleteFrom('homepage_content').execute());

test('the hero is edited beside its preview, and shown on the home page', async ({
  page,
  scenario,
  signInAs,
  expectConsole,
}) => {
  test.slow();
  expectConsole(422, 409, 500);
  await signInAs('admin@acre.test', 'admin');
  await open(page, '/admin/homepage');
  await expect(page.getByRole('heading', { name: 'Homepage Editor', level: 1 })).toBeVisible();
  await expect(page.getByText('Customize the content of your homepage', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Hero Section' })).toBeVisible();
  const title = page.getByLabel('Hero Title');
  const subtitle = page.getByLabel('Hero Subtitle');
  await expect(title).not.toBeEditable();
  await expect(subtitle).not.toBeEditable();
  await expect(page.getByText(/JPG, PNG, WebP.*16:9/)).toBeVisible();
  await expectAccessible(page, 'homepage-editor');

  const edit = page.getByRole('link', { name: 'Edit Content' });
  await edit.click();
  await expect(title).toBeFocused();
  // What goes beyond the limit is ignored, also in the middle; an emoji is one character.
  await title.fill('Land, ho 🏡');
  await expect(page.getByText('10 / 60')).toBeVisible();
  await title.press('Home');
  await page.keyboard.insertText('x'.repeat(70));
  await expect(title).toHaveValue(`${'x'.repeat(50)}Land, ho 🏡`);
  const counter = page.getByText('60 / 60');
  await expect(counter).toHaveClass(/counter-near/);
  await expect(page.getByText('0 characters left')).toBeAttached();
  await subtitle.fill('s'.repeat(161));
  await expect(subtitle).toHaveValue('s'.repeat(160));
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.locator('h1')).toHaveText(/^x{50}Land, ho/);

  await test.step('Cancel asks, keeps or restores', async () => {
    await page.getByRole('link', { name: 'Cancel' }).click();
    const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
    await expectAccessible(page, 'homepage-discard');
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect(subtitle).toHaveValue('s'.repeat(160));
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await expect(edit).toBeFocused();
    await expect(title).toHaveValue('Good ground, fairly traded.');
  });

  await edit.click();
  const file = page.getByLabel('Hero Image');
  await test.step('pictures', async () => {
    await file.setInputFiles({
      name: 'a.png',
      mimeType: 'image/png',
      buffer: Buffer.alloc(5 * 1024 * 1024 + 1),
    });
    await expect(toastOf(page, 'Error')).toContainText('File size must be less than 5MB');
    const answered = page.waitForResponse((response) => response.url().endsWith('/admin/uploads/homepage'));
    await file.setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<svg/>') });
    expect((await answered).status()).toBe(422);
    await expect(toastOf(page, 'Error')).toContainText('Failed to upload image');
    await expect(page.getByText('Please choose a JPEG, PNG or WebP file.')).toBeVisible();
    await file.setInputFiles(await picture(1600, 900));
    await expect(toastOf(page, 'Image uploaded successfully')).toBeVisible();
    await expect(
      page.getByText(
        'Image dimensions (1600x900) are smaller than recommended (1920x1080). This may affect quality.',
      ),
    ).toBeVisible();
    await expect(preview.locator('source').first()).toHaveAttribute('srcset', /\/media\/images\//);
  });

  await test.step('an empty title, somebody faster, and saving', async () => {
    await title.fill('');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Hero title is required')).toBeVisible();
    await title.fill('Land, ho');
    await scenario.db
      .q()
      .insertInto('homepage_content')
      .values({ hero_title: 'Faster', hero_subtitle: 'Than you.' })
      .execute();
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('This record was changed by someone else')).toBeVisible();
    await expect(
      page.getByText(/Changed by another administrator, .*“Faster” and “Than you.”/),
    ).toBeVisible();
    await expect(title).toHaveValue('Land, ho');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(toastOf(page, 'Homepage content updated successfully')).toBeVisible();
    await expect(page).toHaveURL('/admin/homepage');
    await expect(title).not.toBeEditable();
  });

  await test.step('what fails is said, and nothing typed is lost', async () => {
    await edit.click();
    await title.fill('Land again');
    await scenario.db.pool.query('alter table homepage_content rename to homepage_away');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(toastOf(page, 'Error')).toContainText('Failed to update homepage content');
    await scenario.db.pool.query('alter table homepage_away rename to homepage_content');
    await expect(title).toHaveValue('Land again');
  });

  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await open(page, '/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Land, ho');
  await expect(page.locator('.stage-view img')).toHaveAttribute('src', /\/media\/images\//);
});

test('whoever was slower saves a title beside the picture that another administrator has chosen', async ({
  page,
  browser,
  scenario,
  signInAs,
  expectConsole,
}) => {
  test.slow();
  expectConsole(409);
  await signInAs('admin@acre.test', 'admin');
  const context = await browser.newContext({ baseURL: scenario.url, reducedMotion: 'reduce' });
  await context.addCookies(await createSession(scenario.url, 'admin2@acre.test', 'admin'));
  const other = await context.newPage();
  const openEditor = async (editor: Page) => {
    await open(editor, '/admin/homepage?edit=1');
    await expect(editor.getByLabel('Hero Title')).toBeFocused();
  };
  const choosePicture = async (editor: Page) => {
    await editor.getByLabel('Hero Image').setInputFiles(await picture(1920, 1080));
    await expect(toastOf(editor, 'Image uploaded successfully')).toBeVisible();
  };
  const save = (editor: Page) => editor.getByRole('button', { name: 'Save Changes' }).click();
  const shown = (editor: Page) => editor.locator('input[name="image"]').inputValue();
  await openEditor(page);
  await choosePicture(page);
  await save(page);
  await expect(page).toHaveURL('/admin/homepage');

  await openEditor(page);
  await openEditor(other);
  const first = await shown(page);
  await choosePicture(other);
  const second = await shown(other);
  expect(second).not.toBe(first);
  await save(other);
  await expect(other).toHaveURL('/admin/homepage');

  await page.getByLabel('Hero Title').fill('Mine');
  await save(page);
  await expect(page.getByText('This record was changed by someone else')).toBeVisible();
  await expect(page.locator('input[name="image"]')).toHaveValue(second);
  // A refusal of another kind does not bring the old picture back.
  await page.getByLabel('Hero Title').fill('');
  await save(page);
  await expect(page.getByText('Hero title is required')).toBeVisible();
  await page.getByLabel('Hero Title').fill('Mine');
  await save(page);
  await expect(page).toHaveURL('/admin/homepage');
  await expect(page.getByLabel('Hero Title')).toHaveValue('Mine');
  await openEditor(page);
  expect(await shown(page)).toBe(second);
  await context.close();
});

test('the operator’s name, address and policies are in every page', async ({ page, scenario, signInAs }) => {
  test.slow();
  await signInAs('admin@acre.test', 'admin');
  await open(page, '/admin/settings');
  await expectAccessible(page, 'admin-settings');
  await page.getByLabel('Name').fill('Bell & Acre');
  await page.getByLabel('Support address').fill('help@bell.test');
  await page
    .getByRole('region', { name: 'Marketplace' })
    .getByRole('button', { name: 'Save Changes' })
    .click();
  await expect(toastOf(page, 'Settings updated successfully')).toBeVisible();
  const terms = page.getByRole('region', { name: 'Terms of Service', exact: true });
  await terms
    .getByLabel('Text')
    .fill('## Fair\n\nTo {marketplace} **all** are welcome. <b>Write</b> to {support}.');
  await expect(terms.getByRole('heading', { name: 'Fair', exact: true })).toBeVisible();
  await terms.getByRole('button', { name: 'Publish version 1' }).click();
  await expect(toastOf(page, 'Terms of Service: version 1 published')).toBeVisible();
  await expect(terms.getByRole('link', { name: 'Version 1' })).toBeVisible();

  await page.context().clearCookies();
  await open(page, '/buyer/signup');
  await expect(page.getByText('By creating an account you accept the')).toBeVisible();
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByRole('link', { name: 'help@bell.test' })).toHaveAttribute(
    'href',
    'mailto:help@bell.test',
  );
  await expect(footer.getByRole('link', { name: 'Privacy Policy' })).toBeVisible();
  await footer.getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page).toHaveTitle('Terms of Service · Bell & Acre');
  await expect(
    page.getByText('To Bell & Acre all are welcome. <b>Write</b> to help@bell.test.'),
  ).toBeVisible();
  await expect(page.getByText(/Version 1, in force since/)).toBeVisible();
  await expectAccessible(page, 'terms');
  await open(page, '/terms?version=0');
  await expect(page.getByText('This is an earlier version')).toBeVisible();
  // What is built in says what administrators can do.
  await expect(page.getByText('Each time one of them opens a conversation is recorded.')).toBeVisible();
  await open(page, '/privacy');
  await expect(
    page.getByText('Our administrators can read conversations, and each time is recorded.'),
  ).toBeVisible();
  await scenario.db
    .q()
    .deleteFrom('platform_settings')
    .where('setting_name', 'in', ['brand', 'support_address'])
    .execute();
});
