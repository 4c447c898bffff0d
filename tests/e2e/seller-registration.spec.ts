import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { createConfirmedAccount, PASSWORD, signIn } from '#tests/support/browser/accounts.ts';
import { INVITED_NAME, invite, uniqueInviteEmail } from '#tests/support/browser/invitation.ts';
import { linkIn, mailsTo } from '#tests/support/browser/mailbox.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

const TITLE = 'Complete Your Seller Registration';

async function fill(page: Page, password: string, confirm = password): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(confirm);
  await page.getByRole('button', { name: 'Complete Registration' }).click();
}

test.describe('registering as a seller', () => {
  test.slow();

  test('from the mailed link to the dashboard, once', async ({ page, scenario }) => {
    const email = uniqueInviteEmail();
    const link = await invite(scenario, email);
    await open(page, link);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(TITLE);
    await expect(page.getByText('Set up your account to access the seller portal')).toBeVisible();
    for (const [label, value] of [
      ['Name', INVITED_NAME],
      ['Email', email],
    ] as const) {
      await expect(page.getByLabel(label)).toHaveValue(value);
      await expect(page.getByLabel(label)).toHaveAttribute('readonly', '');
    }
    await expectAccessible(page, 'seller-register');
    await fill(page, 'short', 'other');
    await expect(page.getByText('Password must be at least 8 characters')).toBeVisible();
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    await expectAccessible(page, 'seller-register-refused');

    await fill(page, PASSWORD);
    await expect(page).toHaveURL('/agent/dashboard');
    await expect(toastOf(page, 'Registration complete')).toBeVisible();
    await expect(
      page.getByText('No properties found. Add your first property to get started.'),
    ).toBeVisible();

    await page.context().clearCookies();
    await open(page, link);
    await expect(page).toHaveURL('/agent/login');
    await expect(toastOf(page, 'Already registered')).toBeVisible();
    await signIn(page, email);
    await expect(page).toHaveURL('/agent/dashboard');
  });

  test('with only the id in the link, the invited address gets the link that completes it', async ({
    page,
    scenario,
  }) => {
    const email = uniqueInviteEmail();
    const link = await invite(scenario, email);
    const id = new URL(link, scenario.url).searchParams.get('id') ?? '';
    await open(page, `/agent/register?id=${id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(TITLE);
    for (const label of ['Name', 'Email']) {
      await expect(page.getByLabel(label)).toHaveValue('');
      await expect(page.getByLabel(label)).toHaveAttribute('readonly', '');
    }
    expect(await page.content()).not.toContain(email);
    await expectAccessible(page, 'seller-register-by-id');
    await fill(page, 'Not-Kept-11', 'Not-Kept-12');
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await fill(page, 'Not-Kept-11');
    await expect(page).toHaveURL('/agent/login');
    await expect(toastOf(page, 'Please check your email to verify your account.')).toBeVisible();
    await signIn(page, email, 'Not-Kept-11');
    await expect(toastOf(page, 'Login failed')).toBeVisible();
    await expect.poll(async () => (await mailsTo(scenario.dataDir, email)).length).toBe(2);
    const mailed = (await mailsTo(scenario.dataDir, email)).map((mail) => linkIn(mail, '/agent/register'));
    await open(page, mailed.find((one) => one !== link) ?? '');
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await fill(page, PASSWORD);
    await expect(page).toHaveURL('/agent/dashboard');
  });

  test('an address with an existing account is sent to the login', async ({ page, scenario }) => {
    const email = uniqueInviteEmail();
    const link = await invite(scenario, email);
    // Between invitation and registration the owner of the address becomes a buyer.
    const buyer = await createConfirmedAccount({ origin: scenario.url, dataDir: scenario.dataDir });
    await scenario.db.q().updateTable('users').set({ email }).where('email', '=', buyer).execute();
    await open(page, link);
    await fill(page, PASSWORD);
    await expect(page).toHaveURL('/agent/login');
    await expect(toastOf(page, 'Account already exists')).toBeVisible();
  });

  for (const [name, query, message] of [
    ['no id', '', 'The registration link is invalid or has expired.'],
    ['an unknown id', `?id=${randomUUID()}`, 'The seller ID provided does not exist.'],
  ] as const)
    test(`a link with ${name} is rejected`, async ({ page }) => {
      await open(page, `/agent/register${query}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invalid Registration Link');
      await expect(page.getByText(message)).toBeVisible();
      await expectAccessible(page, `seller-register-${name.replace(' ', '-')}`);
      await page.getByRole('link', { name: 'Return Home' }).click();
      await expect(page).toHaveURL('/');
    });

  test('a database failure is reported as such', async ({ page, scenario }) => {
    const link = await invite(scenario);
    await scenario.db.pool.query('alter table agent_invitations rename to invitations_elsewhere');
    await open(page, link);
    await expect(page.getByText('There was an error verifying your seller account.')).toBeVisible();
    await scenario.db.pool.query('alter table invitations_elsewhere rename to agent_invitations');
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(TITLE);
  });
});

test.describe('a slow verification of the link', { tag: '@server' }, () => {
  // A headless user agent is treated as a bot, and bots get pages without streaming.
  test.use({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36' });

  test('shows a message while verifying', async ({ page, scenario }) => {
    test.skip(process.env.E2E_DATABASE !== 'PostgreSQL', 'one connection cannot be held while others go on');
    const link = await invite(scenario);
    const holder = await scenario.db.pool.connect();
    await holder.query('begin');
    await holder.query('lock table agent_invitations in access exclusive mode');
    await page.goto(link, { waitUntil: 'commit' });
    await expect(page.getByText('Verifying seller information...')).toBeVisible();
    await holder.query('commit');
    holder.release();
    // By its role, which hidden elements do not have: the copy that the server sent lies hidden in the page for a moment when the
    // browser has rendered the form itself.
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(INVITED_NAME);
    await expect(page.getByText('Verifying seller information...')).toHaveCount(0);
    await expect(page.getByLabel('Password', { exact: true })).toHaveCount(1);
    await fill(page, PASSWORD);
    await expect(page).toHaveURL('/agent/dashboard');
  });
});

test.describe('registering without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('works as well', async ({ page, scenario, expectConsole }) => {
    expectConsole(422);
    await page.goto(await invite(scenario));
    await fill(page, PASSWORD, 'another');
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await fill(page, PASSWORD);
    await expect(page).toHaveURL('/agent/dashboard');
  });
});
