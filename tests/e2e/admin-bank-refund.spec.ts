import type { Browser, Page } from '@playwright/test';
import { confirmBankRefund, recordBankRefund } from '#features/payments/commands/pay-refund.ts';
import { refundInDashboard } from '#gateways/payments/sandbox/settlement.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { orderStuckRefund } from '#tests/support/fixtures/stuck-refund.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { startSession } from '#tests/support/server/session-cookie.ts';

const ADDRESS = '9 Chargeback Row';
const AMOUNT = '$50,000.00';
const AMOUNT_CENTS = 50_000_00;

/** A sale in escrow of which a part has been charged back, so that the provider refuses a refund that had been ordered before. */
async function stuckRefundSale({ db, createListing }: Scenario) {
  const sales = await createSaleScenario(db, {
    clock: { now: () => new Date(), advance: () => undefined },
  });
  const saleId = await sales.createPaidSale(
    await createListing({ address: ADDRESS, price_cents: 300_000_00 }),
  );
  const refundId = await orderStuckRefund(
    { admin: sales.contextFor(sales.admin), system: sales.system },
    { saleId, refundCents: AMOUNT_CENTS, lostCents: 100_000_00 },
  );
  return { saleId, refundId, sales };
}

/** The same, when two administrators have paid the refund from the bank. */
async function bankRefundSale(scenario: Scenario): Promise<string> {
  const { saleId, refundId, sales } = await stuckRefundSale(scenario);
  const paid = { refundId, reference: 'TR-2048', amountCents: AMOUNT_CENTS };
  await recordBankRefund(sales.contextFor(sales.admin), paid);
  await confirmBankRefund(sales.contextFor(await createUser(scenario.db, 'admin')), paid);
  return saleId;
}

/** A page of another administrator. */
async function colleaguePage(browser: Browser, { db, url }: Scenario): Promise<Page> {
  const { id } = await createUser(db, 'admin');
  const secret = 'only for this market: '.padEnd(48, 'x');
  const [cookie = '', value = ''] = (await startSession(db, { publicUrl: url, secret }, id)).split(/=(.*)/);
  await db.q().updateTable('sessions').set({ proved_at: new Date() }).where('user_id', '=', id).execute();
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce' });
  await context.addCookies([{ name: cookie, value, url }]);
  return context.newPage();
}

const drawerOf = (page: Page) => page.getByRole('dialog', { name: ADDRESS, exact: true });
const act = (page: Page, name: string) => drawerOf(page).getByRole('link', { name, exact: true });

test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

test('a refund that the provider refuses is paid from the bank by two administrators', async ({
  page,
  browser,
  scenario,
  expectConsole,
}) => {
  expectConsole(422);
  const { saleId } = await stuckRefundSale(scenario);
  await open(page, `/admin/transactions?sale=${saleId}`);
  await expect(
    drawerOf(page).getByText('A chargeback has taken part of the payment', { exact: false }),
  ).toBeVisible();
  await act(page, 'Pay refund by bank…').press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Pay .* from your bank$/ });
  await expect(dialog.getByText(`then transfer ${AMOUNT} to`, { exact: false })).toBeVisible();
  const save = dialog.getByRole('button', { name: 'Save reference' });
  await save.press('Enter');
  await expect(dialog.getByText('Please enter the reference of the bank transfer.')).toBeVisible();
  await expectAccessible(page, 'admin-sale-bank-refund');
  await dialog.getByLabel('Bank reference').fill('TR-2048');
  await save.press('Enter');
  await expect(toastOf(page, 'Reference saved')).toBeVisible();
  await expect(act(page, 'Confirm refund')).toBeHidden();
  await expect(
    drawerOf(page).getByText('You recorded the bank transfer. Another administrator has to confirm it.'),
  ).toBeVisible();

  const colleague = await colleaguePage(browser, scenario);
  await open(colleague, `/admin/transactions?sale=${saleId}`);
  await act(colleague, 'Confirm refund').press('Enter');
  const second = colleague.getByRole('alertdialog', { name: /^Confirm the refund to / });
  await expect(
    second.getByText(`recorded ${AMOUNT} with the reference TR-2048`, { exact: false }),
  ).toBeVisible();
  await second.getByRole('button', { name: 'Confirm refund' }).press('Enter');
  await expect(toastOf(colleague, 'Refund confirmed')).toBeVisible();
  await expect(drawerOf(colleague).getByText('Refund paid by bank transfer').first()).toBeVisible();
  await expect(drawerOf(colleague).getByText(/by bank transfer TR-2048: The roof leaks\./)).toBeVisible();
  await expect(act(colleague, 'Release')).toBeVisible();
  await colleague.context().close();
});

test('a refund that the provider refuses is withdrawn, and the sale can be released', async ({
  page,
  scenario,
}) => {
  const { saleId } = await stuckRefundSale(scenario);
  await open(page, `/admin/transactions?sale=${saleId}`);
  await expect(act(page, 'Release')).toBeHidden();
  await act(page, 'Withdraw refund…').press('Enter');
  const dialog = page.getByRole('dialog', { name: `Withdraw the refund for ${ADDRESS}` });
  await dialog.getByLabel('Reason, shown to buyer and seller').fill('Agreed by phone.');
  await dialog.getByRole('button', { name: 'Withdraw refund' }).press('Enter');
  await expect(toastOf(page, 'Refund withdrawn')).toBeVisible();
  await expect(drawerOf(page).getByText('Withdrawn', { exact: true })).toBeVisible();
  await expect(act(page, 'Release')).toBeVisible();
});

test('of a refund that is more than what is left, the rest is refunded instead', async ({
  page,
  scenario,
}) => {
  const sales = await createSaleScenario(scenario.db, {
    clock: { now: () => new Date(), advance: () => undefined },
  });
  const propertyId = await scenario.createListing({ address: ADDRESS, price_cents: 300_000_00 });
  const { saleId, ref } = await sales.checkout(sales.buyer, propertyId);
  await sales.actOnCheckoutPage(ref, 'pay');
  await sales.sync(saleId);
  await sales.act(sales.admin, saleId, 'cancel_sale', 'Not possible.');
  const refundThere = (cents: number) => refundInDashboard(scenario.db, ref, cents, new Date());
  await refundThere(2_000_00);
  await sales.sync(saleId);
  // The provider refuses the whole payment now, and what is ordered instead waits for an hour: until then, more goes back.
  await sales.settle();
  await refundThere(1_000_00);
  await sales.sync(saleId);
  await open(page, `/admin/transactions?sale=${saleId}`);
  await act(page, 'Withdraw refund…').press('Enter');
  const dialog = page.getByRole('dialog', { name: `Withdraw the refund for ${ADDRESS}` });
  await expect(
    dialog.getByText(/ of it is still owed, and is refunded instead\. Make sure that it was not paid/),
  ).toBeVisible();
  await dialog.getByLabel('Reason, shown to buyer and seller').fill('A part was paid in the dashboard.');
  await dialog.getByRole('button', { name: 'Withdraw refund' }).press('Enter');
  await expect(toastOf(page, 'Refund withdrawn')).toContainText('It is not sent anymore.');
  await expect(act(page, 'Withdraw refund…')).toBeHidden();
  const going = (await sales.refunds(saleId)).filter(({ status }) => status !== 'failed');
  const { total_cents } = await sales.sale(saleId);
  expect(going.map(({ amount_cents }) => Number(amount_cents)).toSorted((one, other) => one - other)).toEqual(
    [1_000_00, 2_000_00, Number(total_cents) - 3_000_00],
  );
});

test('a refund that was paid from the bank comes back, and can be paid again', async ({
  page,
  scenario,
  expectConsole,
}) => {
  expectConsole(422);
  const saleId = await bankRefundSale(scenario);
  await open(page, `/admin/transactions?sale=${saleId}`);
  await expect(act(page, 'Release')).toBeVisible();
  await act(page, 'Refund came back…').press('Enter');
  const dialog = page.getByRole('dialog', { name: /^The refund to .* came back$/ });
  const record = dialog.getByRole('button', { name: 'Refund came back' });
  await record.press('Enter');
  await expect(dialog.getByText('Please give a reason.')).toBeVisible();
  await expectAccessible(page, 'admin-sale-bank-refund-came-back');
  await dialog.getByLabel('What your bank says').fill('Account closed.');
  await record.press('Enter');
  await expect(toastOf(page, 'Return recorded')).toBeVisible();
  await expect(drawerOf(page).getByText('Came back', { exact: true })).toBeVisible();
  await expect(
    drawerOf(page).getByText('The roof leaks. It came back: Account closed.', { exact: false }),
  ).toBeVisible();
  await expect(act(page, 'Pay refund by bank…')).toBeVisible();
  await expect(act(page, 'Release')).toBeHidden();
});
