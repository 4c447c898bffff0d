import type { DisputeEvidence } from '#gateways/payments/port.ts';

/** A part of what is sent to the provider, in words. */
export interface EvidenceText {
  label: string;
  text: string;
}

/** What became of a dispute's answer; `by` is null when nobody decided it. Times are ISO, UTC. */
export interface DisputeAnswer {
  state: 'pending' | 'submitted' | 'refused' | 'conceded';
  /** why it was refused, or conceded */
  reason: string | null;
  by: string | null;
  at: string;
  /** what was sent */
  texts: EvidenceText[];
}

/** A dispute of the payer's bank, for administrators. Integer cents; times are ISO, UTC. */
export interface DisputeView {
  id: string;
  kind: 'inquiry' | 'chargeback';
  reason: string;
  status: 'open' | 'won' | 'lost' | 'withdrawn';
  amountCents: number | null;
  feeCents: number;
  openedAt: string;
  closedAt: string | null;
  /** until when it can be answered */
  dueAt: string | null;
  answer: DisputeAnswer | null;
  /** an administrator can answer or accept it now */
  open: boolean;
}

const labels: Record<keyof DisputeEvidence['texts'], string> = {
  productDescription: 'What was bought',
  customerName: 'Buyer',
  customerEmail: "Buyer's email",
  customerPurchaseIp: 'Address of the purchase',
  serviceDate: 'Delivered on',
  accessLog: 'History',
  refundPolicyDisclosure: 'Refund policy',
  refundRefusalExplanation: 'Why there was no refund',
  statement: 'Statement',
};

/**
 * The texts of an answer in words, in the order in which they are read; the statement first, the documents that are sent as files last.
 */
export function evidenceInWords(
  texts: Readonly<Record<string, unknown>>,
  attached: readonly string[],
): EvidenceText[] {
  const parts = Object.entries(labels)
    .map(([key, label]) => ({ label, text: texts[key] }))
    .filter((part): part is EvidenceText => typeof part.text === 'string' && part.text !== '')
    .toSorted(
      (one, other) => Number(other.label === labels.statement) - Number(one.label === labels.statement),
    );
  return attached.length === 0
    ? parts
    : [...parts, { label: 'Attached documents', text: attached.join('\n') }];
}
