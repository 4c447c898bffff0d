import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { saleRecord, saleView } from '#features/sales/reads.ts';
import { reactivateSeller, suspendSeller } from '#features/sellers/commands/set-suspension.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import { decideAccount } from '#gateways/payouts/sandbox/accounts.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { NotFound } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { connectStripe } from './commands/connect-stripe.ts';
import {
  BANK_REFERENCE_MAX_LENGTH,
  confirmManualPayout,
  failManualPayout,
  recordBankReference,
} from './commands/manual-payouts.ts';
import { retryPayout } from './commands/retry-payout.ts';
import { sendPayout } from './commands/send-payout.ts';
import { startPayout } from './commands/start-payout.ts';
import { syncPayout } from './commands/sync-payout.ts';
import { syncOwnAccount } from './commands/sync-seller-account.ts';
import { payoutStandings } from './reads.ts';

await describeOnDatabase('paying a seller', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let saleId: string;
  let account = '';
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
    await connectStripe(scenario.contextFor(scenario.seller));
    const row = await db
      .q()
      .selectFrom('agents')
      .select('stripe_account_id')
      .where('id', '=', scenario.seller.agentId)
      .executeTakeFirstOrThrow();
    account = row.stripe_account_id ?? '';
    await setActive(true);
    scenario.clock.advance(4 * DAY);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    await setActive(true);
    saleId = await scenario.createPaidSale();
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    scenario.clock.advance(7 * DAY + HOUR);
  });

  async function setActive(active: boolean): Promise<void> {
    const decision = active ? { active } : { active, requirement: 'A passport is missing.' };
    await decideAccount(db, account, decision, scenario.clock.now());
    await syncOwnAccount(scenario.contextFor(scenario.seller));
  }
  const as = (actor = scenario.admin) => scenario.contextFor({ ...actor, provedAt: scenario.clock.now() });
  const start = (by = as()) => startPayout(by, { saleId, runId: null, expectedCents: null });
  async function started(by = as()): Promise<{ payoutId: string; amountCents: number }> {
    const result = await start(by);
    if (!result.ok) throw new Error(result.refusal);
    return result;
  }
  const statusOf = async () => (await scenario.sale(saleId)).payout_status;
  const balances = async () => {
    const rows = await db
      .q()
      .selectFrom('ledger_postings as p')
      .innerJoin('ledger_entries as e', 'e.id', 'p.entry_id')
      .select(['p.account', (sum) => sum.fn.sum<number>('p.amount_cents').as('cents')])
      .where('e.sale_id', '=', saleId)
      .where('p.account', 'in', ['seller_payable', 'payout_in_transit', 'bank'])
      .groupBy('p.account')
      .execute();
    return Object.fromEntries(rows.map(({ account, cents }) => [account, Number(cents)]));
  };
  const booksAreRight = async () => expect(await checkLedger(scenario.system)).toEqual([]);

  it('reserves what the seller is owed, sends it once, and completes when the provider says so', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    expect([one, other].filter(({ ok }) => ok)).toHaveLength(1);
    expect([one, other]).toContainEqual({ ok: false, refusal: 'already_processing' });
    const first = one.ok ? one : other;
    if (!first.ok) throw new Error('none was started');
    expect(await statusOf()).toBe('processing');
    expect(await balances()).toEqual({ seller_payable: 0, payout_in_transit: -first.amountCents });
    await booksAreRight();
    const send = () => sendPayout(scenario.system, { payoutId: first.payoutId });
    await Promise.all([send(), send()]);
    await send();
    expect(await statusOf()).toBe('completed');
    expect(await balances()).toEqual({ seller_payable: 0, payout_in_transit: 0 });
    const sent = await db
      .q()
      .selectFrom('sandbox_payout_items as i')
      .innerJoin('sandbox_payouts as p', 'p.id', 'i.payout_id')
      .select('i.amount_cents')
      .where('p.sale_id', '=', saleId)
      .execute();
    expect(sent).toEqual([{ amount_cents: first.amountCents }]);
    expect((await scenario.sale(saleId)).payout_date).not.toBeNull();
    expect(await start()).toEqual({ ok: false, refusal: 'not_open' });
    await booksAreRight();
  });

  it('is not sent when a refund was asked for after it was started', async () => {
    const { payoutId, amountCents } = await started();
    const refund = { saleId, baseCents: 100_000_00, feesCents: 0, reason: 'The roof leaks.' };
    expect(await refundSale(as(), { ...refund, idempotencyKey: randomUUID() })).toMatchObject({ ok: true });
    await sendPayout(scenario.system, { payoutId });
    expect(await statusOf()).toBe('failed');
    expect(await balances()).toEqual({ seller_payable: -amountCents, payout_in_transit: 0 });
    const sent = await db
      .q()
      .selectFrom('sandbox_payouts')
      .select('id')
      .where('sale_id', '=', saleId)
      .execute();
    expect(sent).toEqual([]);
    // Once the refund has arrived, the seller is paid what is left.
    await scenario.settle();
    scenario.clock.advance(HOUR);
    await scenario.settle();
    await scenario.sync(saleId);
    expect(await retryPayout(as(), { saleId })).toMatchObject({ ok: true });
    expect(await start()).toMatchObject({ ok: true, amountCents: amountCents - 80_000_00 });
    await booksAreRight();
  });

  it('fails with the reason when the account cannot receive it, and is paid by another attempt', async () => {
    const { payoutId, amountCents } = await started();
    const requirement = 'A passport is missing.';
    await decideAccount(db, account, { active: false, requirement }, scenario.clock.now());
    await sendPayout(scenario.system, { payoutId });
    expect(await statusOf()).toBe('failed');
    expect(await balances()).toEqual({ seller_payable: -amountCents, payout_in_transit: 0 });
    expect(await syncPayout(scenario.system, { payoutId })).toMatchObject({ status: 'failed', paidCents: 0 });
    expect(await start()).toMatchObject({ ok: false, refusal: 'not_open' });
    expect(await retryPayout(as(), { saleId })).toEqual({ ok: true });
    await setActive(true);
    const again = await started();
    await sendPayout(scenario.system, again);
    expect(await statusOf()).toBe('completed');
    await booksAreRight();
  });

  it('is not sent when its sale was frozen after it was started', async () => {
    const { payoutId, amountCents } = await started();
    await db
      .q()
      .updateTable('property_sales')
      .set({ frozen_at: scenario.clock.now() })
      .where('id', '=', saleId)
      .execute();
    await sendPayout(scenario.system, { payoutId });
    expect(await statusOf()).toBe('failed');
    expect(await balances()).toEqual({ seller_payable: -amountCents, payout_in_transit: 0 });
    await db.q().updateTable('property_sales').set({ frozen_at: null }).where('id', '=', saleId).execute();
    await booksAreRight();
  });

  it('is not sent to a seller who was suspended after it was started, unless they are archived', async () => {
    const sellerId = scenario.seller.agentId ?? '';
    const { payoutId, amountCents } = await started();
    expect(await suspendSeller(as(), { sellerId, reason: 'We check a document.' })).toEqual({ ok: true });
    await sendPayout(scenario.system, { payoutId });
    expect(await statusOf()).toBe('failed');
    expect(await balances()).toEqual({ seller_payable: -amountCents, payout_in_transit: 0 });
    const { text } = (await payoutStandings(scenario.contextFor(scenario.seller), [saleId]))[saleId] ?? {};
    expect(text).toContain('Your seller account is suspended.');
    expect(await reactivateSeller(as(), { sellerId, reason: 'It is genuine.' })).toEqual({ ok: true });
    expect(await retryPayout(as(), { saleId })).toEqual({ ok: true });
    const again = await started();
    // That another seller is suspended keeps nobody's money.
    const other = (await createUser(db, 'agent')).agentId ?? '';
    expect(await suspendSeller(as(), { sellerId: other, reason: 'A fake.' })).toEqual({ ok: true });
    const change = (values: { status: 'active' | 'suspended'; archived_at: Date | null }) =>
      db.q().updateTable('agents').set(values).where('id', '=', sellerId).execute();
    await change({ status: 'suspended', archived_at: scenario.clock.now() });
    await sendPayout(scenario.system, again);
    await change({ status: 'active', archived_at: null });
    expect(await statusOf()).toBe('completed');
    await booksAreRight();
  });

  it('waits when the amount is another one than was seen', async () => {
    expect(await startPayout(as(), { saleId, runId: null, expectedCents: 1 })).toEqual({
      ok: false,
      refusal: 'amount_changed',
    });
    expect(await statusOf()).toBe('pending');
  });

  it('waits when the seller chooses another method while it is being started', async () => {
    const choose = (method: 'paypal' | 'stripe') =>
      db
        .q()
        .updateTable('agents')
        .set({
          preferred_payout_method: method,
          paypal_email: 'seller@example.com',
          paypal_confirmed_at: scenario.clock.now(),
        })
        .where('id', '=', scenario.seller.agentId)
        .execute();
    onTestFinished(async () => {
      await choose('stripe');
    });
    const stripe = as().payouts.forMethod('stripe');
    if (!stripe) throw new Error('There is no provider');
    const chooses = async () => {
      await choose('paypal');
      return stripe.account();
    };
    const meanwhile = { ...as(), payouts: payoutsOf([{ ...stripe, account: chooses }]) };
    expect(await start(meanwhile)).toEqual({ ok: false, refusal: 'amount_changed' });
    expect(await statusOf()).toBe('pending');
  });

  it('is made by hand where no provider is configured, and confirmed by a second administrator', async () => {
    const byHand = (actor = scenario.admin) => ({ ...as(actor), payouts: payoutsOf([]) });
    const { payoutId, amountCents } = await started(byHand());
    const second = await createUser(db, 'admin');
    const reference = 'WIRE 2026-11-20';
    const confirm = (by = byHand(), seen = reference) =>
      confirmManualPayout(by, { payoutId, reference: seen });
    expect(await confirm()).toEqual({ ok: false, refusal: 'no_reference' });
    for (const none of [' ', 'W'.repeat(BANK_REFERENCE_MAX_LENGTH + 1)])
      await expect(recordBankReference(byHand(), { payoutId, reference: none })).resolves.toEqual({
        ok: false,
        refusal: 'no_reference',
      });
    expect(await recordBankReference(byHand(), { payoutId, reference })).toEqual({ ok: true });
    await expect(confirm()).resolves.toEqual({ ok: false, refusal: 'second_look' });
    expect(await confirm(byHand(second), 'WIRE 2026-11-19')).toEqual({ ok: false, refusal: 'no_reference' });
    // Nobody knows anymore who recorded it, when their account has been removed.
    await db.q().updateTable('payouts').set({ recorded_by: null }).where('id', '=', payoutId).execute();
    expect(await confirm(byHand(second))).toEqual({ ok: false, refusal: 'second_look' });
    expect(await recordBankReference(byHand(), { payoutId, reference })).toEqual({ ok: true });
    expect(await confirm(byHand(second))).toEqual({ ok: true });
    expect(await confirm(byHand(second))).toEqual({ ok: false, refusal: 'not_processing' });
    expect(await recordBankReference(byHand(), { payoutId, reference: 'WIRE 2' })).toEqual({
      ok: false,
      refusal: 'not_processing',
    });
    const confirmed = await db
      .q()
      .selectFrom('audit_log')
      .select('actor_id')
      .where('entity_id', '=', saleId)
      .where('action', '=', 'payout.confirm')
      .execute();
    expect(confirmed).toEqual([{ actor_id: second.id }]);
    expect(await statusOf()).toBe('completed');
    expect(await balances()).toEqual({ seller_payable: 0, payout_in_transit: 0, bank: -amountCents });
    await booksAreRight();
    // The bank sends it back days later.
    const comesBack = (reason: string, confirmed = true) =>
      failManualPayout(byHand(), { payoutId, reason, confirmed });
    await expect(comesBack(' \u202e ')).resolves.toEqual({ ok: false, refusal: 'no_reason' });
    // As one whose page still shows that it is being processed says that it was not made.
    await expect(comesBack('Not made.', false)).resolves.toEqual({ ok: false, refusal: 'changed' });
    expect(await statusOf()).toBe('completed');
    expect(await comesBack('The account was closed.')).toEqual({ ok: true, cameBack: true });
    await expect(comesBack('Once more.')).resolves.toEqual({ ok: false, refusal: 'not_processing' });
    expect(await statusOf()).toBe('failed');
    expect(await balances()).toMatchObject({ seller_payable: -amountCents, bank: 0 });
    await booksAreRight();
  });

  it('by hand is told to its seller alone: neither why it failed nor what the seller owed is the buyer’s to read', async () => {
    await sql`update agents set preferred_payout_method = null, archived_at = now()
      where id = ${scenario.seller.agentId}`.execute(db.q());
    onTestFinished(async () => {
      await sql`update agents set preferred_payout_method = 'stripe', archived_at = null
        where id = ${scenario.seller.agentId}`.execute(db.q());
    });
    const { payoutId } = await started();
    const reason = 'The account of the seller was closed by the bank.';
    expect(await failManualPayout(as(), { payoutId, reason, confirmed: false })).toMatchObject({ ok: true });
    const notesFor = async (reader: UserActor) =>
      (await saleView(scenario.contextFor(reader), saleId)).history.flatMap(({ note }) => note ?? []);
    expect(await notesFor(scenario.seller)).toEqual([reason]);
    expect(await notesFor(scenario.admin)).toEqual([reason]);
    expect(await notesFor(scenario.buyer)).toEqual([]);
    expect((await saleRecord(scenario.system, saleId)).history.flatMap(({ note }) => note ?? [])).toEqual([]);
  });

  it('by a provider is not for anyone to record or confirm by hand', async () => {
    const { payoutId } = await started();
    const input = { payoutId, reference: 'WIRE 1' };
    await expect(recordBankReference(as(), input)).rejects.toThrow(NotFound);
    await expect(confirmManualPayout(as(), input)).rejects.toThrow(NotFound);
    await expect(
      failManualPayout(as(), { ...input, reason: 'No such account.', confirmed: false }),
    ).rejects.toThrow(NotFound);
    expect(await statusOf()).toBe('processing');
    await sendPayout(scenario.system, { payoutId });
  });
});
