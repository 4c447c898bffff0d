import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import { testConfig, testContext } from '#tests/support/context.ts';
import { linkIn, mailTo } from '#tests/support/mailbox.ts';
import { openAccount, PASSWORD, signIn } from '#tests/support/newcomer.ts';
import { expect, type OwnMarket, open, test, toastOf } from '#tests/support/own-market.ts';
import { expectSound } from '#tests/support/sound.ts';

const TITLE = 'Complete Your Seller Registration';
const newAddress = () => `invited-${randomUUID().slice(0, 8)}@example.test`;

/** Invites a seller beside the running server, as the command line does; the mailed link's path. */
async function invite({ url, dataDir, db }: OwnMarket, email: string): Promise<string> {
  const config = { ...testConfig, publicUrl: url };
  const actor = { kind: 'system', name: 'invitation' } as const;
  const ctx = testContext(db, { actor, config, now: () => new Date() });
  const invited = await inviteSeller(ctx, { name: 'Ines Calloway', email });
  if (!invited.ok) throw new Error(invited.reason);
  const link = linkIn(await mailTo(dataDir, email, 'Your invitation to sell'), '/agent/register');
  expect(invited.link).toBe(url + link);
  return link;
}

async function fill(page: Page, password: string, confirm = password): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(confirm);
  await page.getByRole('button', { name: 'Complete Registration' }).click();
}

test.describe('registering as a seller', () => {
  test.slow();

  test('from the mailed link to the dashboard, once', async ({ page, market }) => {
    const email = newAddress();
    const link = await invite(market, email);
    await open(page, link);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(TITLE);
    await expect(page.getByText('Set up your account to access the seller portal')).toBeVisible();
    for (const [label, value] of [
      ['Name', 'Ines Calloway'],
      ['Email', email],
    ] as const) {
      await expect(page.getByLabel(label)).toHaveValue(value);
      await expect(page.getByLabel(label)).toHaveAttribute('readonly', '');
    }
    await expectSound(page, 'seller-register');
    await fill(page, 'short', 'other');
    await expect(page.getByText('Password must be at least 8 characters')).toBeVisible();
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    await expectSound(page, 'seller-register-refused');

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

  test('with the id alone the address has to be confirmed first', { tag: '@desktop' }, async ({
    page,
    market,
  }) => {
    const email = newAddress();
    const link = await invite(market, email);
    const id = new URL(link, market.url).searchParams.get('id') ?? '';
    await open(page, `/agent/register?id=${id}`);
    await fill(page, PASSWORD);
    await expect(page).toHaveURL('/agent/login');
    await expect(toastOf(page, 'Please check your email to verify your account.')).toBeVisible();
    await signIn(page, email);
    await expect(page.getByRole('button', { name: 'Resend' })).toBeVisible();
    await open(
      page,
      linkIn(await mailTo(market.dataDir, email, 'Confirm your e-mail address'), '/verify-email'),
    );
    await page.getByRole('button', { name: /Confirm/ }).click();
    await open(page, '/agent/login');
    await signIn(page, email);
    await expect(page).toHaveURL('/agent/dashboard');
  });

  test('an address with an account goes to the sign-in page', { tag: '@desktop' }, async ({
    page,
    market,
  }) => {
    const email = newAddress();
    const link = await invite(market, email);
    // Between invitation and registration its owner becomes a buyer.
    const buyer = await openAccount({ origin: market.url, dataDir: market.dataDir });
    await market.db.q().updateTable('users').set({ email }).where('email', '=', buyer).execute();
    await open(page, link);
    await fill(page, PASSWORD);
    await expect(page).toHaveURL('/agent/login');
    await expect(toastOf(page, 'Account already exists')).toBeVisible();
  });

  for (const [name, query, words] of [
    ['no id', '', 'The registration link is invalid or has expired.'],
    ['an unknown id', `?id=${randomUUID()}`, 'The seller ID provided does not exist.'],
  ] as const)
    test(`a link with ${name} opens nothing`, { tag: '@desktop' }, async ({ page }) => {
      await open(page, `/agent/register${query}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invalid Registration Link');
      await expect(page.getByText(words)).toBeVisible();
      await expectSound(page, `seller-register-${name.replace(' ', '-')}`);
      await page.getByRole('link', { name: 'Return Home' }).click();
      await expect(page).toHaveURL('/');
    });

  test('a database that fails is told as such', { tag: '@desktop' }, async ({ page, market }) => {
    const link = await invite(market, newAddress());
    await market.db.pool.query('alter table agent_invitations rename to invitations_elsewhere');
    await open(page, link);
    await expect(page.getByText('There was an error verifying your seller account.')).toBeVisible();
    await market.db.pool.query('alter table invitations_elsewhere rename to agent_invitations');
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(TITLE);
  });
});

test.describe('a slow check of the link', { tag: '@desktop' }, () => {
  // Robots, for which a headless browser is taken by its name, get every page whole.
  test.use({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36' });

  test('says that it verifies while that takes long', async ({ page, market }) => {
    test.skip(process.env.E2E_DATABASE !== 'PostgreSQL', 'one connection cannot be held while others go on');
    const link = await invite(market, newAddress());
    const holder = await market.db.pool.connect();
    await holder.query('begin');
    await holder.query('lock table agent_invitations in access exclusive mode');
    await page.goto(link, { waitUntil: 'commit' });
    await expect(page.getByText('Verifying seller information...')).toBeVisible();
    await holder.query('commit');
    holder.release();
    await expect(page.getByLabel('Name')).toHaveValue('Ines Calloway');
    await expect(page.getByText('Verifying seller information...')).toHaveCount(0);
    await fill(page, PASSWORD);
    await expect(page).toHaveURL('/agent/dashboard');
  });
});

test.describe('registering without scripts', { tag: '@desktop' }, () => {
  test.use({ javaScriptEnabled: false });

  test('works as well', async ({ page, market, expectConsole }) => {
    expectConsole(/422/);
    await page.goto(await invite(market, newAddress()));
    await fill(page, PASSWORD, 'another');
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await fill(page, PASSWORD);
    await expect(page).toHaveURL('/agent/dashboard');
  });
});
