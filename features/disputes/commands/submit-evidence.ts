import { askProvider } from '#features/payments/ask-provider.ts';
import { portOfSale } from '#features/payments/sale-port.ts';
import { openTask } from '#features/tasks/commands/open-task.ts';
import {
  type DisputeEvidence,
  type EvidenceFile,
  PaymentError,
  type PaymentsPort,
} from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { type Attachment, readAttachments } from '../attachments.ts';
import { mayAnswerDisputes } from '../rules.ts';

/**
 * Submits recorded evidence to the provider, under one key: however often this runs, and wherever it crashes, the dispute is
 * answered once. Evidence that the provider does not accept becomes a task while the dispute is open. What was composed for an inquiry is
 * not sent for the chargeback that it has become: that has an answer of its own, and only one.
 * @param isLast it is not tried again, so that documents which cannot be read now are left out
 * @throws PaymentError while the provider cannot be reached, FileStoreError while the documents cannot be read; the job is retried
 */
export async function submitEvidence(
  ctx: CtxWith<'payments' | 'files'>,
  { evidenceId, isLast = false }: { evidenceId: string; isLast?: boolean },
): Promise<void> {
  authorize(ctx, mayAnswerDisputes);
  const evidence = await readEvidence(ctx, evidenceId);
  if (evidence?.state !== 'pending' || evidence.provider_ref === null) return;
  if (!(await isStillAsked(ctx, evidence)))
    return recordRefusal(
      ctx,
      evidence,
      'The inquiry has become a chargeback, which needs an answer of its own.',
    );
  const { port } = await portOfSale(ctx, evidence);
  const documents = await readAttachments(ctx, evidence.documents as unknown as Attachment[], isLast);
  const files = [...(evidence.receipt ? [receiptFile(evidence.receipt)] : []), ...documents];
  const refusal = await submit(port, evidence, { disputeRef: evidence.provider_ref, files });
  await askProvider(ctx, { saleId: evidence.sale_id });
  await (refusal === null ? recordSubmission(ctx, evidenceId) : recordRefusal(ctx, evidence, refusal));
}

const readEvidence = (ctx: Ctx, evidenceId: string) =>
  ctx.db
    .q()
    .selectFrom('dispute_evidence as e')
    .innerJoin('disputes as d', 'd.id', 'e.dispute_id')
    .innerJoin('property_sales as s', 's.id', 'd.sale_id')
    .select([
      'e.id',
      'e.dispute_id',
      'e.dispute_kind',
      'e.state',
      'e.texts',
      'e.receipt',
      'e.documents',
      'd.provider_ref',
      'd.sale_id',
    ])
    .select(['s.provider', 's.livemode', 's.provider_account_id', 's.provider_session_id'])
    .where('e.id', '=', evidenceId)
    .executeTakeFirst();

/** Whether the dispute is still of the kind that the evidence was composed for; the provider is asked whether an inquiry still is one. */
async function isStillAsked(ctx: CtxWith<'payments'>, evidence: Evidence): Promise<boolean> {
  if (evidence.dispute_kind === 'inquiry') await askProvider(ctx, { saleId: evidence.sale_id });
  return (await disputeOf(ctx, evidence)).kind === evidence.dispute_kind;
}

const disputeOf = (ctx: Ctx, { dispute_id }: Evidence) =>
  ctx.db
    .q()
    .selectFrom('disputes')
    .select(['status', 'kind'])
    .where('id', '=', dispute_id)
    .executeTakeFirstOrThrow();

type Evidence = NonNullable<Awaited<ReturnType<typeof readEvidence>>>;

/** @returns why the provider did not accept it, or null when it did */
async function submit(
  port: PaymentsPort,
  evidence: Evidence,
  { disputeRef, files }: Pick<DisputeEvidence, 'disputeRef' | 'files'>,
): Promise<string | null> {
  if (!port.submitEvidence) return 'The provider takes no evidence.';
  const texts = evidence.texts as DisputeEvidence['texts'];
  try {
    await port.submitEvidence({ disputeRef, texts, files }, `evidence:${evidence.id}`);
    return null;
  } catch (error) {
    if (!(error instanceof PaymentError) || error.retryable || error.code === 'auth') throw error;
    // An earlier call whose answer was lost, and whose key has expired since, may have succeeded.
    return error.code === 'conflict' && (await isAnswered(port, evidence, disputeRef)) ? null : error.message;
  }
}

const receiptFile = (bytes: Uint8Array): EvidenceFile => ({
  kind: 'receipt',
  name: 'receipt.pdf',
  contentType: 'application/pdf',
  bytes,
});

async function isAnswered(port: PaymentsPort, evidence: Evidence, disputeRef: string): Promise<boolean> {
  const { disputes } = await port.getCheckout(evidence.provider_session_id ?? '');
  const dispute = disputes.find(({ ref }) => ref === disputeRef);
  return (
    dispute?.status === 'open' && dispute.kind === evidence.dispute_kind && dispute.evidenceDueAt === null
  );
}

async function recordSubmission(ctx: Ctx, evidenceId: string): Promise<void> {
  await ctx.db
    .q()
    .updateTable('dispute_evidence')
    .set({ state: 'submitted', submitted_at: ctx.now() })
    .where('id', '=', evidenceId)
    .where('state', '=', 'pending')
    .execute();
}

async function recordRefusal(ctx: Ctx, evidence: Evidence, reason: string): Promise<void> {
  ctx.log.error({ dispute: evidence.dispute_id, reason }, 'the evidence for a dispute was not accepted');
  await ctx.db.tx(async () => {
    const refused = await ctx.db
      .q()
      .updateTable('dispute_evidence')
      .set({ state: 'refused', reason: cutText(reason, 2000) })
      .where('id', '=', evidence.id)
      .where('state', '=', 'pending')
      .returning('id')
      .executeTakeFirst();
    const { status, kind } = await disputeOf(ctx, evidence);
    if (refused && status === 'open' && kind === evidence.dispute_kind)
      await openTask(asSystem(ctx, 'disputes'), {
        kind: 'evidence_refused',
        subjectId: evidence.sale_id,
        detail: reason,
      });
  });
}
