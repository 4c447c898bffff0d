import { readFile } from 'node:fs/promises';
import { createConfirmedAccount, PASSWORD, signIn } from '#tests/support/browser/accounts.ts';
import { waitForMail } from '#tests/support/browser/mailbox.ts';
import { createSession, expect, open, test, toastOf } from '#tests/support/browser/signed-in-test.ts';

test('downloading personal data and closing the account', async ({ page, context, baseURL, dataDir }) => {
  const server = { origin: baseURL ?? '', dataDir };
  const email = await createConfirmedAccount(server);
  await context.addCookies(await createSession(server.origin, email, 'buyer', PASSWORD));
  await open(page, '/account');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download my data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^acre-trading-post-[\d-]+\.json$/);
  const data = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(data.account).toMatchObject({ email, role: 'buyer' });

  const closeButton = page.getByRole('button', { name: 'Close account', exact: true });
  const confirmDialog = page.getByRole('alertdialog');
  await closeButton.click();
  await confirmDialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(confirmDialog).toBeHidden();
  await page.getByLabel('Your Password').fill('Not 1 of them');
  await closeButton.click();
  await confirmDialog.getByRole('button', { name: 'Close account permanently' }).click();
  await expect(page.getByText('The password is incorrect')).toBeVisible();
  await page.getByLabel('Your Password').fill(PASSWORD);
  // A key is pressed whether or not the button is still busy with the refused request.
  await expect(closeButton).toBeEnabled();
  await closeButton.press('Enter');
  await confirmDialog.getByRole('button', { name: 'Close account permanently' }).press('Enter');
  await expect(toastOf(page, 'Account closed')).toBeVisible();
  await expect(page).toHaveURL('/');
  await waitForMail(dataDir, email, 'Your account is closed');
  await open(page, '/buyer/login');
  await signIn(page, email);
  await expect(toastOf(page, 'Login failed')).toContainText('Invalid email or password');
});

test('an account cannot be closed while a purchase is in progress', async ({ page, signInAs }) => {
  await signInAs('buyer@acre.test');
  await open(page, '/account');
  await page.getByLabel('Your Password').fill('AcreDemo!2026');
  await page.getByRole('button', { name: 'Close account', exact: true }).click();
  await page.getByRole('button', { name: 'Close account permanently' }).click();
  await expect(toastOf(page, 'Account not closed')).toContainText(
    'One of your purchases is still in progress.',
  );
  await page.goto('/account');
  await expect(page.getByText('Signed in').first()).toBeVisible();
});

test('sessions are listed in the time zone of whoever looks', async ({ page, signInAs }) => {
  await signInAs('buyer@acre.test');
  await open(page, '/account');
  const time = page.getByRole('list', { name: 'Sessions' }).locator('time').first();
  const chicago = new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'America/Chicago',
  });
  const at = await time.getAttribute('datetime');
  await expect(time).toHaveText(chicago.format(new Date(at ?? '')));
});
