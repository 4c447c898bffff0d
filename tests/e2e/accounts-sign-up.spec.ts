import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { createUnconfirmedAccount, PASSWORD, signIn, uniqueEmail } from '#tests/support/browser/accounts.ts';
import { linkIn, mailsTo, waitForMail } from '#tests/support/browser/mailbox.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/signed-in-test.ts';

const CONFIRM = 'Confirm your email address';
const VERIFY = 'Please check your email to verify your account.';

test('from signing up through the mailed link to signing in', async ({ page }) => {
  const email = uniqueEmail();
  await open(page, '/buyer/login?next=%2Fproperties%3Ftype%3Dcommercial');
  await page.getByRole('link', { name: 'Create your buyer account' }).click();
  await expect(page).toHaveTitle('Create your buyer account · Acre Trading Post');
  await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(toastOf(page, VERIFY)).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();

  const mail = page.locator('li', { hasText: email }).getByRole('link', { name: CONFIRM });
  await expect(async () => {
    await page.goto('/dev/mail');
    await expect(mail).toBeVisible({ timeout: 300 });
  }).toPass();
  await mail.click();
  // As HTML, without scripts or forms, and as text.
  const html = page.getByTitle('The mail as it is shown by most mail programs');
  await expect(html).toHaveAttribute('sandbox', '');
  await expect(html.contentFrame().getByRole('heading', { name: CONFIRM })).toBeVisible();
  await page.getByRole('link', { name: /verify-email/ }).click();
  await page.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(toastOf(page, 'Email confirmed')).toContainText('You can sign in now.');
  await signIn(page, email);
  await expect(page).toHaveURL('/properties?type=commercial');
  await page.getByRole('button', { name: 'Account' }).click();
  await expect(page.locator('#menu-account')).toContainText(email);
});

test.describe('signing up', () => {
  test('shows missing fields and the password strength', async ({ page }) => {
    await open(page, '/buyer/signup');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await expect(page.getByText('Email is required')).toBeVisible();
    await expect(page.getByText('Password is required')).toBeVisible();
    await expect(page.getByLabel('Email')).toBeFocused();
    const password = page.getByLabel('Password', { exact: true });
    for (const [typed, word] of [
      ['abcdefgh', 'Weak'],
      ['abcdefg1', 'Medium'],
      ['Abcdefgh12!', 'Strong'],
    ] as const) {
      await password.fill(typed);
      await expect(page.getByText(`Password strength: ${word}`)).toBeVisible();
    }
    await page.getByLabel('Email').fill('not an address');
    await password.fill('seven77');
    await password.press('Enter');
    await expect(page.getByText('Invalid email address')).toBeVisible();
    await expect(page.getByText('Password must be at least 8 characters')).toBeVisible();
    await page.getByLabel('Email').fill(uniqueEmail());
    await password.fill('password123');
    await password.press('Enter');
    await expect(page.getByText('This password is too common. Please choose another one.')).toBeVisible();
    await expect(password).toBeFocused();
  });

  test('with the address of an existing account shows the same message and mails its owner', async ({
    page,
    dataDir,
  }) => {
    await open(page, '/buyer/signup');
    await page.getByLabel('Email').fill('Buyer2@acre.test');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await expect(toastOf(page, VERIFY)).toBeVisible();
    await expect(page).toHaveURL('/');
    const mail = await waitForMail(dataDir, 'buyer2@acre.test', 'You already have an account');
    expect(linkIn(mail, '/buyer/login')).toBe('/buyer/login');
  });

  test('submitting twice at the same moment creates one account and sends one mail', async ({
    page,
    dataDir,
  }) => {
    const email = uniqueEmail();
    await open(page, '/buyer/signup');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.locator('main form').evaluate((form: HTMLFormElement) => {
      form.requestSubmit();
      form.requestSubmit();
    });
    await expect(toastOf(page, VERIFY)).toBeVisible();
    await waitForMail(dataDir, email, CONFIRM);
    expect(await mailsTo(dataDir, email)).toHaveLength(1);
  });

  test('using only the keyboard', async ({ page }) => {
    await open(page, '/buyer/signup');
    await page.locator('.back').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.type(uniqueEmail());
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.locator('input[name=password]')).toHaveAttribute('type', 'text');
    // Past the links to the terms and the privacy policy.
    for (let link = 0; link < 3; link += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(toastOf(page, VERIFY)).toBeVisible();
  });
});

test.describe('the mailed link', () => {
  test('offers a new one when it is invalid or incomplete', async ({ page, baseURL, dataDir }) => {
    const email = await createUnconfirmedAccount(baseURL ?? '');
    const link = linkIn(await waitForMail(dataDir, email, CONFIRM), '/verify-email');
    await open(page, `${link}x`);
    await page.getByRole('button', { name: 'Confirm email address' }).click();
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(
      'This link is not valid. Please request a new one.',
    );
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Resend' }).click();
    await expect(toastOf(page, VERIFY)).toBeVisible();
    await open(page, '/verify-email');
    await expect(page.getByRole('main').getByRole('alert')).toContainText('This link is incomplete.');
  });

  test('asks for the password in another browser, so that it confirms no stranger', async ({
    page,
    baseURL,
    dataDir,
  }) => {
    const email = await createUnconfirmedAccount(baseURL ?? '');
    const link = linkIn(await waitForMail(dataDir, email, CONFIRM), '/verify-email');
    await open(page, link);
    const password = page.getByLabel('Password', { exact: true });
    await expect(password).toHaveAccessibleDescription('The one you chose when you signed up');
    await expectAccessible(page, 'verify-email-password');
    const confirm = page.getByRole('button', { name: 'Confirm email address' });
    await confirm.click();
    await expect(page.getByText('Password is required')).toBeVisible();
    await password.fill('Not-The-Right-1');
    await confirm.click();
    await expect(
      page.getByText('This is not the password of the latest sign-up with this address.'),
    ).toBeVisible();
    await expect(password).toBeFocused();
    await expect(page.getByRole('link', { name: 'Set a new password instead' })).toHaveAttribute(
      'href',
      '/buyer/login?forgot=1',
    );
    await password.fill(PASSWORD);
    await confirm.click();
    await expect(toastOf(page, 'Email confirmed')).toContainText('You can sign in now.');
  });

  test('signing in requires it, and another one can be requested', async ({ page, baseURL }) => {
    const email = await createUnconfirmedAccount(baseURL ?? '');
    await open(page, '/buyer/login');
    await signIn(page, email);
    await expect(toastOf(page, 'Login failed')).toContainText('Email not confirmed');
    await expect(page.getByRole('main').getByRole('status')).toContainText('Email not confirmed');
    await page.getByRole('button', { name: 'Resend' }).click();
    await expect(toastOf(page, VERIFY)).toBeVisible();
    await expect(page).toHaveURL('/buyer/login');
  });
});
