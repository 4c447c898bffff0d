import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { queueDocumentsReminder, queuePartyMails } from './mails.ts';
import type { Party, SaleEvent } from './model.ts';
import { transitions } from './transitions.ts';

const ADDRESS = '48 Larkspur Lane';

/** Who is told of what, by who did it; where it is nobody, why. */
const told: Record<SaleEvent, Partial<Record<Party, 'both' | 'buyer' | 'seller' | `nobody: ${string}`>>> = {
  begin: { buyer: 'nobody: nothing is paid, and most of these end within the hour' },
  submit_payment: { system: 'both' },
  receive_part: { system: 'both' },
  confirm_payment: { system: 'both' },
  confirm_refused_payment: { system: 'both' },
  fail_payment: { system: 'both' },
  expire_checkout: { system: 'both' },
  cancel_checkout: {
    buyer: 'nobody: the buyer did it, and the seller was never told that it had begun',
    system: 'nobody: the buyer saw on the page that no checkout could be opened',
  },
  hold_mismatch: { system: 'both' },
  deliver_documents: { seller: 'buyer', admin: 'both' },
  remove_documents: { system: 'both' },
  miss_documents_deadline: { system: 'both' },
  cancel_undelivered: { buyer: 'seller' },
  confirm_closing: { buyer: 'seller' },
  release: { admin: 'both' },
  auto_release: { system: 'both' },
  request_cancellation: { buyer: 'seller', seller: 'buyer' },
  decline_cancellation: { buyer: 'seller', seller: 'buyer', admin: 'both' },
  agree_cancellation: { buyer: 'seller', seller: 'buyer' },
  cancel_sale: { admin: 'both' },
  report_problem: { buyer: 'seller', seller: 'buyer' },
  resolve_problem: { admin: 'both' },
  withdraw_problem: { buyer: 'seller', seller: 'buyer' },
  open_dispute: { system: 'both' },
  win_dispute: { system: 'both' },
  lose_dispute: { system: 'both' },
  reverse_dispute: { system: 'both' },
  accept_mismatch: { admin: 'both' },
  return_mismatch: { admin: 'both' },
  dismiss_mismatch: { admin: 'both' },
  return_incomplete: { system: 'both' },
  // The seller's sale is as it was.
  return_surplus: { system: 'buyer' },
  freeze_sale: { system: 'both' },
  unfreeze_sale: { admin: 'both', system: 'both' },
  recognise_refund: { admin: 'both' },
  request_refund: { admin: 'both' },
  withdraw_refund: { admin: 'both' },
  pay_refund: { admin: 'nobody: the parties are told that it was carried out' },
  settle_partial_refund: { system: 'both' },
  settle_refund: { system: 'both' },
  // The sale has ended for the seller, who has no part in how its refund goes.
  fail_refund: { system: 'buyer' },
  return_refund: { system: 'buyer' },
  // The buyer has no part in how the seller is paid.
  start_payout: {
    admin: 'nobody: nothing has arrived yet',
    system: 'nobody: nothing has arrived yet',
  },
  complete_payout: { admin: 'seller', system: 'seller' },
  fail_payout: { admin: 'seller', system: 'seller' },
  return_payout: { admin: 'seller', system: 'seller' },
  retry_payout: {
    admin: 'nobody: the seller has been told that it is sent again',
    system: 'nobody: the seller has been told that it is sent again',
  },
  reopen_payout: { system: 'seller' },
};

it('the table names every event of the state machine and everybody who can trigger it', () => {
  const triggers = new Map<SaleEvent, Set<Party>>([['begin', new Set(['buyer'])]]);
  for (const { event, by } of transitions)
    triggers.set(event, new Set([...(triggers.get(event) ?? []), ...by]));
  const listed = Object.entries(told).map(([event, by]) => [event, Object.keys(by).sort()]);
  expect(Object.fromEntries(listed)).toEqual(
    Object.fromEntries([...triggers].map(([event, by]) => [event, [...by].sort()])),
  );
});

await describeOnDatabase('the mails about a sale', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let saleId: string;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
    saleId = await scenario.createPaidSale();
  });
  afterAll(() => db.close());

  /** The mails that `queue` leaves in the outbox. */
  const queued = async (queue: () => Promise<void>) => {
    await db.q().deleteFrom('mail_outbox').execute();
    await queue();
    return db.q().selectFrom('mail_outbox').selectAll().orderBy('to_address').execute();
  };
  const rows = Object.entries(told).flatMap(([event, by]) =>
    Object.entries(by).map(([party, who]) => [event as SaleEvent, party as Party, who] as const),
  );

  it.each(rows)('%s by the %s: %s', async (event, by, who) => {
    const sale = await scenario.sale(saleId);
    const mails = await queued(() =>
      queuePartyMails(scenario.system, sale, { event, by, amountCents: 1_00, note: null }),
    );
    const expected = {
      ...((who === 'both' || who === 'buyer') && { [scenario.buyer.email]: `/buyer/sales/${saleId}` }),
      ...((who === 'both' || who === 'seller') && { [scenario.seller.email]: `/agent/sales/${saleId}` }),
    };
    expect(mails.map(({ to_address }) => to_address)).toEqual(Object.keys(expected).sort());
    for (const { subject, text_body, html_body, to_address, status } of mails) {
      expect(status).toBe('queued');
      expect(subject).toContain(ADDRESS);
      for (const body of [text_body, html_body]) {
        expect(body).toContain(ADDRESS);
        expect(body).toContain(expected[to_address]);
        expect(body).not.toMatch(/undefined|null|NaN|Invalid Date|\[object/);
      }
      // More than the heading and the link: a sentence that says what happened.
      expect(text_body.replace(subject, '').replace(/https?:\S+/g, '').length).toBeGreaterThan(60);
    }
    // Repeated in the same transaction or after a crash, nobody is told twice.
    await queuePartyMails(scenario.system, sale, { event, by, amountCents: 1_00, note: null });
    expect(await db.q().selectFrom('mail_outbox').selectAll().execute()).toHaveLength(mails.length);
  });

  it.each(['freeze_sale', 'hold_mismatch', 'lose_dispute'] as const)(
    '%s tells each party whether to do anything, and what comes next',
    async (event) => {
      const sale = await scenario.sale(saleId);
      const mails = await queued(() =>
        queuePartyMails(scenario.system, sale, {
          event,
          by: 'system',
          amountCents: 7_654_32,
          note: 'Internal.',
        }),
      );
      expect(mails).toHaveLength(2);
      for (const { text_body } of mails) {
        expect(text_body).toMatch(/do not need to do anything|please do not pay again/);
        expect(text_body).toMatch(/We write to you when|The page of the sale shows/);
        expect(text_body).toMatch(/continues|escrow/);
        expect(text_body).not.toContain('Internal.');
        if (event === 'lose_dispute') expect(text_body).toContain('$7,654.32');
      }
    },
  );

  it.each([
    ['soon', `The documents for ${ADDRESS} are due soon`],
    ['last_day', `The documents for ${ADDRESS} are due within a day`],
  ] as const)('reminds both parties %s of the date', async (reminder, subject) => {
    const sale = await scenario.sale(saleId);
    const mails = await queued(() => queueDocumentsReminder(scenario.system, sale, reminder));
    expect(mails.map(({ to_address }) => to_address).sort()).toEqual(
      [scenario.buyer.email, scenario.seller.email].sort(),
    );
    for (const mail of mails) {
      expect(mail.subject).toBe(subject);
      expect(mail.text_body).toContain(sale.documents_due_at?.toUTCString());
    }
  });
});
