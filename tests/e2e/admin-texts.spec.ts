import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElementHandle, Page } from '@playwright/test';
import { uniqueEmail } from '#tests/support/browser/accounts.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';
import { withEmptyTable, withoutTable } from '#tests/support/browser/without-table.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createUser } from '#tests/support/fixtures/users.ts';

// R9: fixed texts of the back office in states that no other browser test visits. tests/texts/office-catalogue.ts lists all of them.

const ADMIN = 'admin@acre.test';
const PAYOUTS = '/admin/transactions?tab=payouts';

interface Router {
  revalidate(): unknown;
  state: { revalidation: string };
}

test.describe('pages of administrators when something fails', () => {
  test.slow();
  test.beforeEach(({ expectConsole }) => expectConsole(409, 500, 503));

  test('a reset link cannot be sent', async ({ page, scenario }) => {
    await open(page, '/admin?forgot=1');
    await page.getByLabel('Email').fill(uniqueEmail());
    await withoutTable(scenario, 'rate_limits', async () => {
      await page.getByRole('button', { name: 'Send Reset Link' }).click();
      await expect(toastOf(page, 'Reset password failed')).toBeVisible();
    });
  });

  test('an administrator is not added, a seller not deleted', async ({ page, scenario, signInAs }) => {
    await signInAs(ADMIN, 'admin');
    await open(page, '/admin/admins?do=add');
    const dialog = page.getByRole('dialog', { name: 'Add Administrator' });
    await dialog.getByLabel('Email').fill(uniqueEmail());
    await dialog.getByLabel('Password', { exact: true }).fill('seven77');
    await withoutTable(scenario, 'audit_log', async () => {
      await dialog.getByRole('button', { name: 'Add Admin' }).click();
      await expect(toastOf(page, 'Error')).toContainText('Failed to add administrator. Please try again.');
    });

    const { name } = await createUser(scenario.db, 'agent');
    await open(page, `/admin/agents?view=list&q=${encodeURIComponent(name)}`);
    await page.getByRole('link', { name: `Delete ${name}` }).click();
    const asking = page.getByRole('alertdialog', { name: 'Delete Seller' });
    await withoutTable(scenario, 'audit_log', async () => {
      await asking.getByRole('button', { name: 'Delete Seller' }).click();
      await expect(toastOf(page, 'Error')).toContainText('Failed to delete seller');
    });
  });

  test('properties are neither listed nor approved, a survey is not stored', async ({
    page,
    scenario,
    signInAs,
  }) => {
    await signInAs(ADMIN, 'admin');
    await scenario.createListing({
      address: '1 Failing Court',
      status: 'pending',
      created_at: new Date(Date.now() + 60_000),
    });
    await withoutTable(scenario, 'property_types', async () => {
      for (const tab of ['all', 'pending']) {
        await page.goto(`/admin/properties?tab=${tab}`);
        await expect(page.getByText('Failed to fetch properties')).toBeVisible();
      }
    });
    await open(page, '/admin/properties?tab=pending');
    await page.getByRole('checkbox', { name: 'Select 1 Failing Court' }).check();
    await withoutTable(scenario, 'audit_log', async () => {
      await page.getByRole('button', { name: 'Approve Selected' }).click();
      await expect(toastOf(page, 'Error')).toContainText('Failed to approve properties');
    });

    const id = await scenario.createListing({ address: '2 Failing Court', title: 'A house for sale' });
    await open(page, `/admin/properties/${id}/edit`);
    await page
      .getByLabel('Survey Document')
      .setInputFiles({ name: 'Boundary.pdf', mimeType: 'application/pdf', buffer: pdfFile });
    await withoutFileStore(scenario, async () => {
      await page.getByRole('button', { name: 'Update Property' }).click();
      await expect(toastOf(page, 'Error')).toContainText('Failed to upload survey document');
    });
  });
});

test.describe('payouts that are not made', () => {
  // What is changed about sellers would change other tests' payouts.
  test.use({ ownServer: 'payout-texts' });
  test.slow();
  test.beforeEach(async ({ signInAs, expectConsole }) => {
    expectConsole(409, 500, 503);
    await signInAs(ADMIN, 'admin');
  });

  const process = (page: Page) => page.getByRole('button', { name: 'Process Selected Payouts' });
  /** Chooses all, and asks for their plan. */
  async function review(page: Page): Promise<void> {
    await open(page, PAYOUTS);
    await page.getByLabel('Select all').check();
    await process(page).click();
  }

  test('there are none, or they cannot be read', async ({ page, scenario }) => {
    await withEmptyTable(scenario, 'property_sales', async () => {
      await open(page, PAYOUTS);
      await expect(page.getByText('No pending payouts found')).toBeVisible();
    });
    await withoutTable(scenario, 'payout_run_items', async () => {
      await open(page, PAYOUTS);
      await expect(page.getByText('Error loading payouts').first()).toBeVisible();
      await expect(page.getByText(/Please try again\. \(reference [\w-]{8}\)/).first()).toBeVisible();
    });
    await open(page, PAYOUTS);
    await page.getByLabel('Select all').check();
    // Read for the plan alone: the list, which is read again whenever something changes, stays as it is.
    await withoutTable(scenario, 'payout_reversals', async () => {
      await process(page).click();
      await expect(toastOf(page, 'Error fetching payouts')).toBeVisible();
    });
    await open(page, PAYOUTS);
    const box = page.getByRole('table', { name: 'Pending Payouts' }).getByRole('checkbox').nth(1);
    await box.check();
    // In one step: when React draws the box once more, it has its own value again.
    await box.evaluate(
      (input: HTMLInputElement, button) => {
        input.value = 'no sale';
        button?.click();
      },
      (await process(page).elementHandle()) as ElementHandle<HTMLButtonElement> | null,
    );
    await expect(toastOf(page, 'Error Processing Payouts')).toContainText(
      'Please select the payouts to process.',
    );
  });

  test('somebody else has retried one before', async ({ page, context }) => {
    const retry = async (where: Page) => {
      await open(where, PAYOUTS);
      await where.getByRole('link', { name: 'Retry the payout to Gabriel Montoya' }).click();
      return where.getByRole('alertdialog').getByRole('button', { name: 'Retry payout' });
    };
    const late = await retry(page);
    const other = await context.newPage();
    await (await retry(other)).click();
    await expect(toastOf(other, 'Payout is pending again')).toBeVisible();
    await late.click();
    await expect(toastOf(page, 'Payout Update Failed')).toBeVisible();
  });

  test('each seller who cannot be paid is named with the reason', async ({ page, scenario }) => {
    const { db } = scenario;
    const refused = page.locator('.payout-refused');
    const set = (facts: string) =>
      db.pool.query(
        `update agents set ${facts} where id in (select agent_id from property_sales where payout_status = 'pending')`,
      );

    await set(
      `preferred_payout_method = 'stripe', stripe_account_id = null, stripe_transfers_active = false`,
    );
    await review(page);
    await expect(page.getByText('Cannot Process Payout').first()).toBeVisible();
    await expect(
      refused.getByText(/^Seller .+ has not connected their Stripe account$/).first(),
    ).toBeVisible();

    // Also when the page is brought up to date meanwhile.
    await set(`preferred_payout_method = 'paypal', paypal_email = null, paypal_confirmed_at = null`);
    await page.evaluate(() => {
      const { __reactRouterDataRouter: router } = window as unknown as { __reactRouterDataRouter: Router };
      void router.revalidate();
    });
    await expect(page.getByRole('cell', { name: 'PayPal No email' }).first()).toBeVisible();
    await expect(
      refused.getByText(/^Seller .+ has not connected their Stripe account$/).first(),
    ).toBeVisible();

    await review(page);
    await expect(refused.getByText(/^Seller .+ has not provided their PayPal email$/).first()).toBeVisible();
  });
});

/** Does the work while no file can be stored. */
async function withoutFileStore({ dataDir }: Scenario, work: () => Promise<void>): Promise<void> {
  const folder = join(dataDir, 'files');
  renameSync(folder, `${folder}-away`);
  writeFileSync(folder, 'no folder');
  try {
    await work();
  } finally {
    rmSync(folder);
    renameSync(`${folder}-away`, folder);
  }
}
