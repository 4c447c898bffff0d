import type Stripe from 'stripe';
import { evidenceFingerprint, validateEvidence } from '../evidence.ts';
import { type DisputeEvidence, type DisputeState, type EvidenceKind, PaymentError } from '../port.ts';
import type { StripeClient } from './client.ts';
import { disputeState, takesEvidence } from './dispute.ts';

/** Metadata of a dispute: by which key it was answered, and with what. Stripe itself forgets keys after a day. */
const KEY = 'evidence_key';
const CONTENT = 'evidence_content';

const FILE_FIELDS: Readonly<Record<EvidenceKind, keyof Stripe.DisputeUpdateParams.Evidence>> = {
  receipt: 'receipt',
  service_documentation: 'service_documentation',
  customer_communication: 'customer_communication',
  customer_signature: 'customer_signature',
  refund_policy: 'refund_policy',
  other: 'uncategorized_file',
};

/**
 * Uploads the files and submits the evidence to the bank, which Stripe does once only.
 * An inquiry that was answered and became a chargeback has to be answered again.
 * @throws PaymentError `invalid` beyond the limits, `not_found`, `conflict` when it comes too late or after other evidence
 */
export async function submitEvidence(
  client: StripeClient,
  evidence: DisputeEvidence,
  idempotencyKey: string,
  now: Date,
): Promise<DisputeState> {
  validateEvidence(evidence);
  const content = evidenceFingerprint(evidence);
  const dispute = await client.dispute(evidence.disputeRef);
  const { metadata, evidence_details: details } = dispute;
  const isRepeated = metadata[KEY] === idempotencyKey && metadata[CONTENT] === content;
  if (!takesEvidence(dispute)) {
    if (isRepeated) return disputeState(dispute);
    throw new PaymentError('conflict', `The dispute is ${dispute.status}`);
  }
  if (!details.due_by || details.due_by * 1000 <= now.getTime())
    throw new PaymentError('conflict', 'The deadline for evidence has passed');
  const files = await Promise.all(
    evidence.files.map(async (file) => [FILE_FIELDS[file.kind], await client.uploadEvidence(file)] as const),
  );
  const params = {
    evidence: { ...textFields(evidence.texts), ...Object.fromEntries(files) },
    metadata: { [KEY]: idempotencyKey, [CONTENT]: content },
    submit: true,
  };
  return disputeState(await client.answerDispute(dispute.id, params));
}

const textFields = (texts: DisputeEvidence['texts']): Stripe.DisputeUpdateParams.Evidence => ({
  product_description: texts.productDescription,
  customer_name: texts.customerName,
  customer_email_address: texts.customerEmail,
  customer_purchase_ip: texts.customerPurchaseIp,
  service_date: texts.serviceDate,
  access_activity_log: texts.accessLog,
  refund_policy_disclosure: texts.refundPolicyDisclosure,
  refund_refusal_explanation: texts.refundRefusalExplanation,
  uncategorized_text: texts.statement,
});
