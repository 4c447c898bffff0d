import type { Page } from '@playwright/test';
import { disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';

/** An act of the drawer: the sale it is about, its button, and its dialog. */
interface Trial {
  /** brings a sale of the property about which it is possible */
  on: (saleScenario: SaleScenario, propertyId: string) => Promise<string>;
  button: string;
  title: string;
  /** what happens then, or a part of it */
  text: string | RegExp;
  /** by default the label of its button */
  confirm?: string;
  /** what asks for the reason */
  reason?: string;
  toast: string;
  /** no button has the act anymore, and the sale shows this */
  after: string;
}

const ADDRESS = '7 Drawer Lane';

const paid = (saleScenario: SaleScenario, propertyId: string) => saleScenario.createPaidSale(propertyId);

/** A paid sale, and what its parties did about it. */
const paidAnd =
  (event: 'report_problem' | 'request_cancellation', note: string) =>
  async (saleScenario: SaleScenario, propertyId: string) => {
    const saleId = await saleScenario.createPaidSale(propertyId);
    expect(await saleScenario.act(saleScenario.buyer, saleId, event, note)).toEqual({ ok: true });
    return saleId;
  };

/** A payment that is set aside: the provider does not say which sale it is for. */
const differing = async (saleScenario: SaleScenario, propertyId: string) => {
  const { saleId, ref } = await saleScenario.checkout(saleScenario.buyer, propertyId);
  await saleScenario.actOnCheckoutPage(ref, 'pay');
  const truth = await saleScenario.payments.forMethod('card').getCheckout(ref);
  await saleScenario.apply(saleId, { ...truth, saleId: null });
  return saleId;
};

const refundedAtProvider = async (saleScenario: SaleScenario, propertyId: string) => {
  const saleId = await saleScenario.createPaidSale(propertyId);
  const { provider_session_id: ref } = await saleScenario.sale(saleId);
  const truth = await saleScenario.payments.forMethod('card').getCheckout(ref ?? '');
  const refund = { ref: `re_${saleId}`, status: 'succeeded' as const, amountCents: 5_00, key: null };
  await saleScenario.apply(saleId, { ...truth, refunds: [refund] });
  return saleId;
};

const disputed = async (saleScenario: SaleScenario, propertyId: string) => {
  const saleId = await saleScenario.createPaidSale(propertyId);
  const { provider_session_id: ref } = await saleScenario.sale(saleId);
  await disputeSandbox(saleScenario.db, ref ?? '', new Date());
  await saleScenario.sync(saleId);
  return saleId;
};

const trials: Trial[] = [
  {
    on: paid,
    button: 'Release',
    title: `Release the escrow of ${ADDRESS}`,
    text: /^The sale closes: the \$[\d,]+\.\d\d in escrow is released/,
    toast: 'Escrow released',
    after: 'Completed',
  },
  {
    on: paid,
    button: 'Cancel sale…',
    title: `Cancel the sale of ${ADDRESS}`,
    text: /is refunded to the buyer, .* and the property is for sale again/,
    confirm: 'Cancel sale',
    toast: 'Sale cancelled',
    after: 'Cancelled',
  },
  {
    on: paidAnd('report_problem', 'The roof leaks.'),
    button: 'Resolve problem',
    title: `Resolve the problem with ${ADDRESS}`,
    text: /The buyer reported: “The roof leaks\.” The sale continues\./,
    reason: 'How it was settled, shown to buyer and seller',
    toast: 'Problem resolved',
    after: 'In Escrow',
  },
  {
    on: paidAnd('request_cancellation', 'I found another one.'),
    button: 'Decline cancellation',
    title: `Decline the cancellation of ${ADDRESS}`,
    text: 'The buyer asked to cancel. The sale continues as before.',
    toast: 'Cancellation declined',
    after: 'In Escrow',
  },
  {
    on: differing,
    button: 'Accept payment',
    title: `Accept the payment for ${ADDRESS}`,
    text: /^\$[\d,.]+ was received and counts as the payment of .* The money is held in escrow/,
    toast: 'Payment accepted',
    after: 'In Escrow',
  },
  {
    on: differing,
    button: 'Return payment',
    title: `Return the payment for ${ADDRESS}`,
    text: /^\$[\d,.]+ is refunded to the buyer/,
    toast: 'Payment returned',
    after: 'Cancelled',
  },
  {
    on: refundedAtProvider,
    button: 'Record refund',
    title: `Record the refund of ${ADDRESS}`,
    text: /^A refund was made at the payment provider without being ordered here: \$5\.00 of/,
    toast: 'Refund recorded',
    after: 'In Escrow',
  },
  {
    on: disputed,
    button: 'Accept dispute',
    title: `Accept the dispute about ${ADDRESS}`,
    text: /^The dispute stays unanswered: the bank takes the money back\./,
    reason: 'Why the payer is right',
    toast: 'Dispute accepted',
    after: 'Accepted: the payer is right',
  },
];

/** The sale that an act is about. */
async function saleFor({ db, createListing }: Scenario, on: Trial['on']): Promise<string> {
  const saleScenario = await createSaleScenario(db, {
    clock: { now: () => new Date(), advance: () => undefined },
  });
  return on(saleScenario, await createListing({ address: ADDRESS, price_cents: 742_000_00 }));
}

const drawerOf = (page: Page) => page.getByRole('dialog', { name: ADDRESS, exact: true });

test.describe('what an administrator can do in the drawer of a sale', () => {
  test.slow();
  test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

  for (const { on, button, title, text, confirm = button, reason, toast, after } of trials)
    test(`${confirm}: by keyboard, refused without a reason, then done`, async ({
      page,
      scenario,
      expectConsole,
    }) => {
      expectConsole(422);
      const saleId = await saleFor(scenario, on);
      await open(page, `/admin/transactions?sale=${saleId}`);
      const drawer = drawerOf(page);
      await drawer.getByRole('link', { name: button, exact: true }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: title });
      await expect(dialog.getByText(text)).toBeVisible();
      const note = dialog.getByLabel(reason ?? 'Reason, shown to buyer and seller');
      const send = dialog.getByRole('button', { name: confirm, exact: true });
      await send.press('Enter');
      await expect(dialog.getByText('Please give a reason.')).toBeVisible();
      await expect(note).toBeFocused();
      await expect(page).toHaveURL(/[?&]do=/);
      await expectAccessible(page, `admin-sale-${confirm.toLowerCase().replace(' ', '-')}`);
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(page).not.toHaveURL(/[?&]do=/);

      await drawer.getByRole('link', { name: button, exact: true }).press('Enter');
      await note.fill(`Agreed with both sides: ${toast}.`);
      await send.press('Enter');
      await expect(toastOf(page, toast)).toBeVisible();
      await expect(dialog).toBeHidden();
      await expect(drawer.getByRole('link', { name: button, exact: true })).toBeHidden();
      await expect(drawer.getByText(after).first()).toBeVisible();
      await expect(drawer.getByText(`Agreed with both sides: ${toast}.`).first()).toBeVisible();
    });

  test('a dispute is answered with what is shown before, and needs no statement', async ({
    page,
    scenario,
  }) => {
    const saleId = await saleFor(scenario, disputed);
    await open(page, `/admin/transactions?sale=${saleId}`);
    const drawer = drawerOf(page);
    await drawer.getByRole('link', { name: 'Answer dispute' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: `Answer the dispute about ${ADDRESS}` });
    await dialog.getByText('What is sent').click();
    await expect(dialog.getByText('The receipt, as a PDF, if there is one')).toBeVisible();
    await expectAccessible(page, 'admin-sale-answer-dispute');
    await dialog.getByRole('button', { name: 'Answer dispute' }).press('Enter');
    await expect(toastOf(page, 'Dispute answered')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(drawer.getByText(/^Answered/)).toBeVisible();
    await expect(drawer.getByRole('link', { name: 'Answer dispute' })).toBeHidden();
  });

  test('a dialog closes when somebody else has decided meanwhile, and the drawer shows it', async ({
    page,
    scenario,
  }) => {
    const saleScenario = await createSaleScenario(scenario.db, {
      clock: { now: () => new Date(), advance: () => undefined },
    });
    const saleId = await saleScenario.createPaidSale(await scenario.createListing({ address: ADDRESS }));
    await open(page, `/admin/transactions?sale=${saleId}&do=release`);
    const dialog = page.getByRole('dialog', { name: `Release the escrow of ${ADDRESS}` });
    await dialog.getByLabel('Reason, shown to buyer and seller').fill('Everything is signed.');
    await saleScenario.act(saleScenario.admin, saleId, 'cancel_sale', 'The house burned down.');
    await expect(dialog).toBeHidden();
    await expect(drawerOf(page).getByText('The house burned down.').first()).toBeVisible();
  });
});
