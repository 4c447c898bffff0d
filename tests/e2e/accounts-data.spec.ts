import { readFile } from 'node:fs/promises';
import { mailTo } from '#tests/support/mailbox.ts';
import { openAccount, PASSWORD, signIn } from '#tests/support/newcomer.ts';
import { expect, open, sessionOf, test, toastOf } from '#tests/support/signed-in.ts';

test('downloading what is kept, and closing the account for good', async ({
  page,
  context,
  baseURL,
  dataDir,
}) => {
  const place = { origin: baseURL ?? '', dataDir };
  const email = await openAccount(place);
  await context.addCookies(await sessionOf(place.origin, email, 'buyer', PASSWORD));
  await open(page, '/account');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download my data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^acre-trading-post-[\d-]+\.json$/);
  const data = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(data.account).toMatchObject({ email, role: 'buyer' });

  const ask = page.getByRole('button', { name: 'Close account', exact: true });
  const sure = page.getByRole('alertdialog');
  await ask.click();
  await sure.getByRole('button', { name: 'Cancel' }).click();
  await expect(sure).toBeHidden();
  await page.getByLabel('Your Password').fill('Not 1 of them');
  await ask.click();
  await sure.getByRole('button', { name: 'Close account for good' }).click();
  await expect(page.getByText('The password is not right')).toBeVisible();
  await page.getByLabel('Your Password').fill(PASSWORD);
  await ask.press('Enter');
  await sure.getByRole('button', { name: 'Close account for good' }).press('Enter');
  await expect(toastOf(page, 'Account closed')).toBeVisible();
  await expect(page).toHaveURL('/');
  await mailTo(dataDir, email, 'Your account is closed');
  await open(page, '/buyer/login');
  await signIn(page, email);
  await expect(toastOf(page, 'Login failed')).toContainText('Invalid email or password');
});

test('an account is not closed while a purchase is under way', { tag: '@desktop' }, async ({
  page,
  enter,
}) => {
  await enter('buyer@acre.test');
  await open(page, '/account');
  await page.getByLabel('Your Password').fill('AcreDemo!2026');
  await page.getByRole('button', { name: 'Close account', exact: true }).click();
  await page.getByRole('button', { name: 'Close account for good' }).click();
  await expect(toastOf(page, 'Not closed')).toContainText('A purchase of yours is still under way.');
  await page.goto('/account');
  await expect(page.getByText('Signed in').first()).toBeVisible();
});
