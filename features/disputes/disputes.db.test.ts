import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { type DisputeEvidence, PaymentError, type PaymentsPort } from '#gateways/payments/port.ts';
import {
  closeSandboxDispute,
  disputeSandbox,
  escalateSandboxInquiry,
} from '#gateways/payments/sandbox/disputes.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { withPortOverrides } from '#tests/support/database/crash-injection.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { readPdf } from '#tests/support/files/read-pdf.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { answerDispute } from './commands/answer-dispute.ts';
import { answerDueDisputes } from './commands/answer-due-disputes.ts';
import { concedeDispute } from './commands/concede-dispute.ts';
import { submitEvidence } from './commands/submit-evidence.ts';

await describeOnDatabase('a dispute is answered', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let saleId: string;
  let ref: string;
  const folder = mkdtempSync(join(tmpdir(), 'acre-disputes-'));
  const files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
  beforeAll(async () => {
    db = await open();
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
    const propertyId = await scenario.createListing();
    ({ saleId, ref } = await scenario.checkout(scenario.buyer, propertyId));
    await scenario.actOnCheckoutPage(ref, 'pay');
    await scenario.sync(saleId);
    const inquire = (userId: string, message: string) =>
      db
        .q()
        .insertInto('property_inquiries')
        .values({ property_id: propertyId, user_id: userId, message })
        .returning('id')
        .executeTakeFirstOrThrow();
    // Somebody else asked about the same property, and first.
    await inquire(scenario.otherBuyer.id, 'For the seller alone.');
    const { id: inquiryId } = await inquire(scenario.buyer.id, 'Written before the purchase.');
    await db
      .q()
      .updateTable('property_inquiries')
      .set({ created_at: new Date(0) })
      .where('id', '=', inquiryId)
      .execute();
    await db
      .q()
      .insertInto('inquiry_messages')
      .values({
        inquiry_id: inquiryId,
        sender_id: scenario.seller.id,
        message: 'The deed is with the notary.',
        created_at: scenario.clock.now(),
      })
      .execute();
  });

  const dispute = async (options: Parameters<typeof disputeSandbox>[3] = {}) => {
    await disputeSandbox(db, ref, scenario.clock.now(), options);
    await scenario.sync(saleId);
    return newestDispute();
  };
  const advanceTo = (date: Date | null, offset: number) =>
    scenario.clock.advance((date?.getTime() ?? 0) + offset - scenario.clock.now().getTime());
  const newestDispute = () =>
    db
      .q()
      .selectFrom('disputes')
      .selectAll()
      .where('sale_id', '=', saleId)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();
  const answers = () =>
    db
      .q()
      .selectFrom('dispute_evidence as e')
      .innerJoin('disputes as d', 'd.id', 'e.dispute_id')
      .selectAll('e')
      .where('d.sale_id', '=', saleId)
      .orderBy('e.created_at')
      .execute();
  const answer = (disputeId: string, statement = '') =>
    answerDispute(scenario.contextFor(scenario.admin), { disputeId, statement });
  const concede = (disputeId: string, reason = 'The buyer is right.') =>
    concedeDispute(scenario.contextFor(scenario.admin), { disputeId, reason });
  /** What the jobs do that send evidence. */
  const send = async (ctx = scenario.system) => {
    for (const { id } of await answers()) await submitEvidence({ ...ctx, files }, { evidenceId: id });
  };
  /** The system with a provider that answers evidence otherwise. */
  const withEvidenceCall = (call: (port: PaymentsPort) => NonNullable<PaymentsPort['submitEvidence']>) => ({
    ...scenario.system,
    payments: withPortOverrides(scenario.payments, (port) => ({ submitEvidence: call(port) })),
  });
  const openTasks = async () => {
    const rows = await db
      .q()
      .selectFrom('admin_tasks')
      .select('kind')
      .where('subject_id', '=', saleId)
      .where('closed_at', 'is', null)
      .orderBy('kind')
      .execute();
    return rows.map(({ kind }) => kind);
  };
  /** When the administrators' task of the dispute is due. */
  const taskDue = async () =>
    (
      await db
        .q()
        .selectFrom('admin_tasks')
        .select('due_at')
        .where('subject_id', '=', saleId)
        .where('kind', '=', 'dispute_opened')
        .where('closed_at', 'is', null)
        .executeTakeFirstOrThrow()
    ).due_at;

  it('with what is on record, once, and its fee is in the books', async () => {
    const { id } = await dispute();
    expect(await answer(id, ' The buyer moved in. ')).toEqual({ ok: true });
    expect(await answer(id)).toEqual({ ok: false, reason: 'answered' });
    expect(await concede(id)).toEqual({ ok: false, reason: 'answered' });
    await send();
    await send();
    const [only, ...others] = await answers();
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      state: 'submitted',
      requested_by: scenario.admin.id,
      dispute_kind: 'chargeback',
    });
    const texts = only?.texts as DisputeEvidence['texts'];
    const buyer = await db
      .q()
      .selectFrom('users')
      .select(['name', 'email'])
      .where('id', '=', scenario.buyer.id)
      .executeTakeFirstOrThrow();
    expect([texts.customerName, texts.customerEmail]).toEqual([buyer.name, buyer.email]);
    expect(texts.statement).toMatch(/^The buyer moved in\.\n\nReceipt ATP-\d{6}/);
    expect(texts.statement).toContain('Seller: The deed is with the notary.');
    expect(texts.statement).not.toMatch(/Written before the purchase|For the seller alone/);
    expect(texts.accessLog).toContain('Buyer · Purchase started');
    const answered = await newestDispute();
    expect(answered).toMatchObject({ status: 'open', evidence_due_at: null, fee_cents: 30_00 });
    expect(await taskDue()).toBeNull();
    expect((await scenario.accountBalances(saleId)).dispute_fees).toBe(30_00);
    expect(await checkLedger(scenario.system)).toEqual([]);
    const audited = db.q().selectFrom('audit_log').select(['action', 'actor_id']).where('entity_id', '=', id);
    expect(await audited.execute()).toEqual([{ action: 'dispute.answer', actor_id: scenario.admin.id }]);
  });

  it('with the documents that were delivered, by name and hash', async () => {
    await scenario.act(scenario.seller, saleId, 'deliver_documents');
    const { id } = await dispute();
    await answer(id);
    const delivered = await db
      .q()
      .selectFrom('document_registry')
      .select(['document_name', 'sha256'])
      .where('property_sale_id', '=', saleId)
      .execute();
    expect(delivered).not.toEqual([]);
    const [only] = await answers();
    const texts = only?.texts as DisputeEvidence['texts'];
    for (const { document_name: name, sha256 } of delivered)
      expect(texts.statement).toContain(`${name} · SHA-256 ${sha256}`);
  });

  it('with the receipt as a file, the same bytes however often it is sent', async () => {
    const { id } = await dispute();
    await answer(id);
    const sent: DisputeEvidence['files'][] = [];
    const lost = withEvidenceCall((port) => async (evidence, key) => {
      sent.push(evidence.files);
      await port.submitEvidence?.(evidence, key);
      throw new PaymentError('unavailable', 'No answer');
    });
    await expect(send(lost)).rejects.toThrow('No answer');
    scenario.clock.advance(HOUR);
    await expect(send(lost)).rejects.toThrow('No answer');
    const [first, second] = sent;
    expect(first).toMatchObject([{ kind: 'receipt', name: 'receipt.pdf', contentType: 'application/pdf' }]);
    expect(second).toEqual(first);
    const { pages } = await readPdf(first?.[0]?.bytes ?? new Uint8Array());
    expect(pages[0]).toMatch(/ATP-\d{6}/);
  });

  it('by itself two days before the deadline, unless it is conceded', async () => {
    const { id, evidence_due_at: due } = await dispute();
    advanceTo(due, -2 * DAY - HOUR);
    await answerDueDisputes(scenario.system);
    expect(await answers()).toEqual([]);
    scenario.clock.advance(HOUR);
    await answerDueDisputes(scenario.system);
    await answerDueDisputes(scenario.system);
    expect(await answers()).toMatchObject([{ dispute_id: id, state: 'pending', requested_by: null }]);
    await send();
    expect(await answers()).toMatchObject([{ state: 'submitted' }]);
  });

  it('by the deadline that the provider has moved since', async () => {
    const { provider_ref, evidence_due_at: first } = await dispute();
    expect(await taskDue()).toEqual(first);
    const moved = new Date((first?.getTime() ?? 0) + 5 * DAY);
    await db
      .q()
      .updateTable('sandbox_disputes')
      .set({ evidence_due_at: moved })
      .where('ref', '=', provider_ref)
      .execute();
    await scenario.sync(saleId);
    expect((await newestDispute()).evidence_due_at).toEqual(moved);
    expect(await taskDue()).toEqual(moved);
    advanceTo(first, -2 * DAY);
    await answerDueDisputes(scenario.system);
    expect(await answers()).toEqual([]);
    advanceTo(moved, -2 * DAY);
    await answerDueDisputes(scenario.system);
    expect(await answers()).toHaveLength(1);
  });

  it('not at all when it is conceded with a reason', async () => {
    const { id, evidence_due_at: due } = await dispute();
    expect(await concede(id, ' ')).toEqual({ ok: false, reason: 'no_reason' });
    expect(await concede(id)).toEqual({ ok: true });
    expect(await answer(id)).toEqual({ ok: false, reason: 'answered' });
    advanceTo(due, -HOUR);
    await answerDueDisputes(scenario.system);
    await send();
    expect(await answers()).toMatchObject([{ state: 'conceded', reason: 'The buyer is right.' }]);
    const audited = db.q().selectFrom('audit_log').select(['action', 'actor_id']).where('entity_id', '=', id);
    expect(await audited.execute()).toEqual([{ action: 'dispute.concede', actor_id: scenario.admin.id }]);
    expect((await newestDispute()).fee_cents).toBe(15_00);
  });

  it('by an administrator at most thirty times a minute', async () => {
    const { id } = await dispute();
    const ctx = scenario.contextFor(scenario.admin);
    const limited = { ...ctx, config: { ...ctx.config, relaxedLimits: false } };
    for (const decide of [
      () => answerDispute(limited, { disputeId: id, statement: '' }),
      () => concedeDispute(limited, { disputeId: id, reason: 'The buyer is right.' }),
    ]) {
      await db.q().deleteFrom('rate_limits').execute();
      for (let n = 0; n < 30; n++) await decide();
      await expect(decide()).rejects.toMatchObject({ status: 429 });
    }
  });

  it('as an inquiry for nothing, and again once it is a chargeback', async () => {
    const { id, provider_ref: disputeRef } = await dispute({ inquiry: true });
    expect(await answer(id)).toEqual({ ok: true });
    await send();
    await escalateSandboxInquiry(db, disputeRef ?? '', scenario.clock.now());
    await scenario.sync(saleId);
    expect(await answer(id)).toEqual({ ok: true });
    await send();
    expect((await answers()).map((one) => [one.dispute_kind, one.state])).toEqual([
      ['inquiry', 'submitted'],
      ['chargeback', 'submitted'],
    ]);
  });

  it.each(['heard', 'unheard'])(
    'not as the inquiry that it no longer is: the one answer to the chargeback is left, %s',
    async (news) => {
      const { id, provider_ref: disputeRef } = await dispute({ inquiry: true });
      expect(await answer(id)).toEqual({ ok: true });
      await escalateSandboxInquiry(db, disputeRef ?? '', scenario.clock.now());
      if (news === 'heard') await scenario.sync(saleId);
      await send();
      expect(await newestDispute()).toMatchObject({ kind: 'chargeback', evidence_due_at: expect.any(Date) });
      expect((await answers()).map((one) => [one.dispute_kind, one.state])).toEqual([['inquiry', 'refused']]);
      expect(await openTasks()).toEqual(['dispute_opened']);
      expect(await answer(id)).toEqual({ ok: true });
      await send();
      expect((await answers()).map((one) => [one.dispute_kind, one.state])).toEqual([
        ['inquiry', 'refused'],
        ['chargeback', 'submitted'],
      ]);
    },
  );

  it('not after its deadline, nor when it is decided, nor when there is nothing to answer', async () => {
    const { id, provider_ref: disputeRef, evidence_due_at: due } = await dispute();
    advanceTo(due, 0);
    expect(await answer(id)).toEqual({ ok: false, reason: 'not_answerable' });
    await closeSandboxDispute(db, disputeRef ?? '', 'won', scenario.clock.now());
    await scenario.sync(saleId);
    expect(await answer(id)).toEqual({ ok: false, reason: 'decided' });
    expect(await concede(id)).toEqual({ ok: false, reason: 'decided' });
    await scenario.act(scenario.buyer, saleId, 'report_problem', 'The roof leaks.');
    const problem = await db
      .q()
      .selectFrom('disputes')
      .select('id')
      .where('sale_id', '=', saleId)
      .where('kind', '=', 'problem')
      .executeTakeFirstOrThrow();
    await expect(answer(problem.id)).rejects.toThrow('Not found');
    await expect(answer(randomUUID())).rejects.toThrow('Not found');
  });

  it('once, when the first answer of the provider is lost and when it comes a day later', async () => {
    const { id } = await dispute();
    await answer(id);
    const lost = withEvidenceCall((port) => async (evidence, key) => {
      await port.submitEvidence?.(evidence, key);
      throw new PaymentError('unavailable', 'No answer');
    });
    await expect(send(lost)).rejects.toThrow('No answer');
    expect(await answers()).toMatchObject([{ state: 'pending' }]);
    // The provider has forgotten the key by now.
    scenario.clock.advance(2 * DAY);
    const expired = withEvidenceCall((port) => (evidence) => {
      if (!port.submitEvidence) throw new Error('The provider takes no evidence');
      return port.submitEvidence(evidence, 'evidence:another');
    });
    await send(expired);
    expect(await answers()).toMatchObject([{ state: 'submitted' }]);
    expect(await openTasks()).toEqual(['dispute_opened']);
    expect((await newestDispute()).fee_cents).toBe(30_00);
  });

  it('or an administrator hears why not; the decision ends that', async () => {
    const { id, provider_ref: disputeRef } = await dispute();
    await answer(id);
    const picky = withEvidenceCall(() => () => Promise.reject(new PaymentError('invalid', 'Unreadable')));
    await send(picky);
    expect(await answers()).toMatchObject([{ state: 'refused', reason: 'Unreadable', submitted_at: null }]);
    expect(await openTasks()).toEqual(['dispute_opened', 'evidence_refused']);
    await closeSandboxDispute(db, disputeRef ?? '', 'won', scenario.clock.now());
    await scenario.sync(saleId);
    expect(await openTasks()).toEqual([]);
  });

  it('too late for a provider that has decided already, which is no task anymore', async () => {
    const { id, provider_ref: disputeRef } = await dispute();
    await answer(id);
    await closeSandboxDispute(db, disputeRef ?? '', 'won', scenario.clock.now());
    await send();
    expect(await answers()).toMatchObject([{ state: 'refused' }]);
    expect(await openTasks()).toEqual([]);
  });

  it('again by the next run when its job was lost', async () => {
    const { id } = await dispute();
    await answer(id);
    const jobs = async () => {
      const rows = await db.pool.query(
        "select 1 from pgboss.job where name = 'disputes.evidence' and data->>'evidenceId' = $1",
        [(await answers())[0]?.id],
      );
      return rows.rowCount;
    };
    expect(await jobs()).toBe(1);
    await db.pool.query("delete from pgboss.job where name = 'disputes.evidence'");
    await answerDueDisputes(scenario.system);
    expect(await jobs()).toBe(0);
    scenario.clock.advance(HOUR + 1);
    await answerDueDisputes(scenario.system);
    expect(await jobs()).toBe(1);
  });
});
