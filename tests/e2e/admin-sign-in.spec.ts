import { codeAt, stepAt } from '#platform/auth/factors/totp.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { createConfirmedAccount, signIn } from '#tests/support/browser/accounts.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/signed-in-test.ts';

test('administrators add and remove each other', async ({ page, signInAs }) => {
  await signInAs('admin@acre.test', 'admin');
  await open(page, '/admin/admins');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Admins');
  const table = page.getByRole('table', { name: 'Administrators' });
  for (const name of ['Email', 'Role', 'Created At'])
    await expect(table.getByRole('columnheader', { name })).toBeVisible();
  await expectAccessible(page, 'admin-admins');
  await page.getByRole('link', { name: 'Add Admin' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Administrator' });
  const email = `new-${Date.now()}@example.test`;
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill('five5');
  await dialog.getByRole('button', { name: 'Add Admin' }).click();
  await expect(dialog.getByText('Password must be at least 6 characters')).toBeVisible();
  await expectAccessible(page, 'admin-add');
  await dialog.getByLabel('Password', { exact: true }).fill('six666');
  await dialog.getByRole('button', { name: 'Add Admin' }).click();
  await expect(toastOf(page, 'Admin Added')).toContainText(
    'New administrator account has been created successfully.',
  );
  const row = table.getByRole('row').filter({ hasText: email });
  await expect(row).toContainText(/Admin.*\w+ \d+, \d{4}/);
  await row.getByRole('link', { name: `Remove ${email}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove administrator' }).click();
  await expect(toastOf(page, 'Administrator removed')).toBeVisible();
  await expect(row).toHaveCount(0);
});

test('an account is protected by an authenticator app and a passkey', async ({ page, baseURL, dataDir }) => {
  const email = await createConfirmedAccount({ origin: baseURL ?? '', dataDir });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await open(page, '/buyer/login');
  await signIn(page, email);
  await expect(page).toHaveURL('/');
  await open(page, '/account/security');
  await page.getByRole('link', { name: 'Set up authenticator app' }).click();
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  await expectAccessible(page, 'account-security');
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(codeAt(secret, stepAt(new Date())));
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recovery = (await codes.first().textContent()) ?? '';
  await page.getByLabel('Name of the new passkey').fill('Laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(toastOf(page, 'Passkey added')).toBeVisible();
  await expect(codes).toHaveCount(10);
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('never used');

  await page.context().clearCookies();
  await open(page, '/buyer/login');
  await signIn(page, email);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Second step');
  await expectAccessible(page, 'sign-in-second-step');
  await page.getByLabel('Code of your authenticator app').fill('000000');
  await page.getByRole('button', { name: 'Sign In' }).first().click();
  await expect(page.getByText('The code is incorrect or was used before')).toBeVisible();
  await page.getByText('Use a recovery code').click();
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(recovery);
  await page.getByRole('button', { name: 'Sign In' }).last().click();
  await expect(page).toHaveURL('/');

  await page.context().clearCookies();
  await open(page, '/buyer/login');
  await page.getByRole('link', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in with a passkey');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Account' })).toBeVisible();
});
