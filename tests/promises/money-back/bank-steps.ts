import type * as fc from 'fast-check';
import { confirmBankRefund, recordBankRefund } from '#features/payments/commands/pay-refund.ts';
import { returnBankRefund } from '#features/payments/commands/return-bank-refund.ts';
import { withdrawRefund } from '#features/payments/commands/withdraw-refund.ts';
import type { Payments } from '#gateways/payments/port.ts';
import type { SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import type { HistoryScenario, Purchase } from './history-scenario.ts';
import { type Model, noChoice, purchaseStep } from './step.ts';

const REFERENCE = 'TR-2048';

const unsentRefunds = ({ db }: SaleScenario, saleId: string) =>
  db
    .q()
    .selectFrom('refunds')
    .select(['id', 'amount_cents', 'bank_reference'])
    .where('sale_id', '=', saleId)
    .where('status', '=', 'pending')
    .where('provider_ref', 'is', null)
    .orderBy('idempotency_key')
    .execute();

interface Sides {
  saleScenario: SaleScenario;
  payments: Payments;
}

async function record({ saleScenario, payments }: Sides, saleId: string): Promise<void> {
  const ctx = { ...saleScenario.contextFor(saleScenario.admin), payments };
  for (const { id, amount_cents } of await unsentRefunds(saleScenario, saleId))
    await recordBankRefund(ctx, { refundId: id, reference: REFERENCE, amountCents: amount_cents });
}

async function confirm({ saleScenario, payments }: Sides, saleId: string): Promise<void> {
  const recorded = (await unsentRefunds(saleScenario, saleId)).filter(
    ({ bank_reference }) => bank_reference !== null,
  );
  if (recorded.length === 0) return;
  const ctx = { ...saleScenario.contextFor(await createUser(saleScenario.db, 'admin')), payments };
  for (const { id, amount_cents } of recorded)
    await confirmBankRefund(ctx, { refundId: id, reference: REFERENCE, amountCents: amount_cents });
}

/** Our bank gets back what was paid from it of the refunds of a sale. */
async function giveBack({ saleScenario }: HistoryScenario, { saleId }: Purchase): Promise<void> {
  const paid = await saleScenario.db
    .q()
    .selectFrom('refunds')
    .select('id')
    .where('sale_id', '=', saleId)
    .where('origin', '=', 'bank')
    .where('status', '=', 'succeeded')
    .orderBy('idempotency_key')
    .execute();
  const ctx = saleScenario.contextFor(saleScenario.admin);
  for (const { id } of paid) await returnBankRefund(ctx, { refundId: id, reason: 'Account closed.' });
}

/** Two administrators pay from the bank account what has not left of the refunds of a sale. */
export async function payByBank(saleScenario: SaleScenario, saleId: string): Promise<void> {
  const sides = { saleScenario, payments: saleScenario.payments };
  await record(sides, saleId);
  await confirm(sides, saleId);
}

async function withdraw({ saleScenario, payments }: HistoryScenario, { saleId }: Purchase): Promise<void> {
  const ctx = { ...saleScenario.contextFor(saleScenario.admin), payments };
  // Whoever has made the transfer confirms it.
  for (const { id, bank_reference } of await unsentRefunds(saleScenario, saleId))
    if (bank_reference === null) await withdrawRefund(ctx, { refundId: id, reason: 'Agreed.' });
}

/** What administrators do with refunds that have not left. */
export const bankSteps: fc.Arbitrary<fc.AsyncCommand<Model, HistoryScenario>>[] = [
  purchaseStep('withdraw the refund', noChoice, withdraw),
  purchaseStep('record a bank refund', noChoice, (scenario, { saleId }) => record(scenario, saleId)),
  purchaseStep('confirm the bank refund', noChoice, (scenario, { saleId }) => confirm(scenario, saleId)),
  purchaseStep('the bank refund comes back', noChoice, giveBack),
];
