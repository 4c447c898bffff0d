import { sql } from 'kysely';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

test.use({ ownServer: 'fees' });

const TAB = '/admin/payment-settings?tab=fees';

test('a fee is changed by keyboard alone, and the public price follows', async ({
  page,
  scenario,
  signInAs,
}) => {
  test.slow();
  const { rows } = await sql<{ id: string; price: number }>`select id, price_cents as price from properties
    where is_public and price_cents % 100 = 0 order by id limit 1`.execute(scenario.db.q());
  const [listing] = rows;
  if (!listing) throw new Error('the demo has no listing');
  const total = (percent: number) =>
    `$${Math.round((listing.price * (1 + percent / 100) + 495_00) / 100).toLocaleString('en-US')}`;
  await signInAs('admin@acre.test', 'admin');
  await open(page, TAB);
  const table = page.getByRole('table', { name: 'Service Fees' });
  for (const header of ['Name', 'Amount', 'Type', 'Applies To', 'Status', 'Actions'])
    await expect(table.getByRole('columnheader', { name: header })).toBeVisible();
  await expect(table.getByRole('row', { name: /Buyer Protection/ })).toContainText('1.500%');
  await expect(table.getByRole('row', { name: /Wire Handling/ })).toContainText('Buyer, Seller');
  const card = page.getByRole('region', { name: 'Platform commission' });
  await expect(card).toContainText('20.0%');
  await expect(card).toContainText('18.0% from');
  await expectAccessible(page, 'payment-settings-fees');

  await page.getByRole('link', { name: 'Edit Buyer Protection' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit Fee' });
  await expect(dialog.getByText('$512,245.00')).toHaveCount(0);
  await expect(dialog.getByText('$510,495.00')).toBeVisible();
  await dialog.getByLabel('Amount').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('1.850');
  await expect(dialog.getByText('$512,245.00')).toBeVisible();
  await expectAccessible(page, 'payment-settings-edit-fee');
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'Fee saved')).toBeVisible();
  await open(page, `/property/${listing.id}`);
  await expect(page.getByText(total(2.35)).first()).toBeVisible();

  await open(page, TAB);
  const fee = page.getByRole('switch', { name: 'Active: Buyer Protection' });
  await fee.focus();
  await page.keyboard.press('Space');
  await expect(toastOf(page, 'Fee has been deactivated.')).toBeVisible();
  await expect(fee).toHaveAttribute('aria-checked', 'false');
  await fee.focus();
  await page.keyboard.press('Space');
  await expect(toastOf(page, 'Fee has been activated.')).toBeVisible();

  await page.getByRole('link', { name: 'Buyer Protection', exact: true }).click();
  const history = page.getByRole('region', { name: 'History' }).filter({ hasText: 'Changed the fee' });
  await expect(history).toContainText('1.85%');
  await expect(history).toContainText('Deactivated the fee');
});

test('what is wrong or fails is said, and nothing typed is lost', async ({
  page,
  scenario,
  signInAs,
  expectConsole,
}) => {
  test.slow();
  expectConsole(422, 409, 500, 503);
  await signInAs('admin@acre.test', 'admin');
  await open(page, TAB);
  await page.getByRole('link', { name: 'Add New Fee' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add New Fee' });
  await dialog.getByLabel('Name').fill('Title & Escrow');
  await dialog.getByLabel('Percentage').check();
  await dialog.getByLabel('Amount').fill('100.5');
  await dialog.getByLabel('Buyer').uncheck();
  const save = dialog.getByRole('button', { name: 'Save fee' });
  await save.click();
  await expect(
    dialog.getByText('Enter a percentage from 0 to 100 with at most three decimals'),
  ).toBeVisible();
  await expect(dialog.getByText('Choose who pays the fee')).toBeVisible();
  await dialog.getByLabel('Amount').fill('1');
  await dialog.getByLabel('Seller').check();
  await expect(dialog.getByText('$395,000.00')).toBeVisible();
  await save.click();
  await expect(dialog.getByText('A fee with this name already exists')).toBeVisible();
  await dialog.getByLabel('Name').fill('Seller Services');
  await save.click();
  await expect(toastOf(page, 'Fee saved')).toBeVisible();

  await page.getByRole('link', { name: 'Edit Seller Services' }).click();
  await page.getByRole('link', { name: 'Delete this fee' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete Fee' });
  await question.getByRole('button', { name: 'Delete Fee' }).click();
  await expect(toastOf(page, 'Fee deleted')).toBeVisible();

  await scenario.db.pool.query('alter table service_fees rename to fees_away');
  await page.getByRole('switch', { name: 'Active: Wire Handling' }).click();
  await expect(toastOf(page, 'Error')).toContainText('Failed to update fee status.');
  await open(page, TAB);
  await expect(page.getByText('The service fees could not be loaded.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add New Fee' })).toHaveCount(0);
  await scenario.db.pool.query('alter table fees_away rename to service_fees');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('link', { name: 'Add New Fee' })).toBeVisible();

  await page.getByRole('link', { name: 'Edit platform commission' }).click();
  const commission = page.getByRole('dialog', { name: 'Platform commission' });
  await commission.getByLabel('Default percent').fill('17.5');
  await expect(commission.getByText('Seller receives $82,500.00, platform keeps $17,500.00')).toBeVisible();
  await expectAccessible(page, 'payment-settings-commission');
  await commission.getByRole('button', { name: 'Save commission' }).click();
  await expect(toastOf(page, 'Platform commission saved')).toBeVisible();
  const card = page.getByRole('region', { name: 'Platform commission' });
  await expect(card).toContainText('17.5%');
  await card.getByRole('link', { name: 'Drop this change' }).click();
  await page.getByRole('button', { name: 'Drop change' }).click();
  await expect(toastOf(page, 'Planned change dropped')).toBeVisible();
});
