import type { SaleRecord } from '#features/sales/model.ts';
import type { Attachment } from './attachments.ts';

/**
 * Why a decision about a dispute is refused: `decided`: the bank has decided it; `not_answerable`: no evidence is accepted, or
 * not anymore; `answered`: it has been answered or conceded already; `no_reason`: it needs one; `own_purchase`: another administrator decides about one's own.
 */
export type DisputeRefusal = 'decided' | 'not_answerable' | 'answered' | 'no_reason' | 'own_purchase';

export type DisputeResult = { ok: true } | { ok: false; reason: DisputeRefusal };

/** What we know about a disputed sale. */
export interface DisputedSale extends SaleRecord {
  /** what was delivered and both parties can open, oldest first; `sha256`: hexadecimal, of the file */
  documents: { id: string; name: string; number: string | null; sha256: string; at: Date }[];
  /** which of them go to the provider as files */
  attachments: Attachment[];
  /** what the parties wrote to each other since the purchase was begun, oldest first */
  messages: { at: Date; by: string; text: string }[];
}
