/** What a sale in escrow waits for. */
export type EscrowStage =
  | 'frozen'
  | 'problem'
  | 'cancellation'
  | 'delivered'
  | 'overdue'
  | 'awaiting_documents';

export const escrowStages: Record<EscrowStage, { label: string; tone: 'ok' | 'warn' | 'info' | 'bad' }> = {
  frozen: { label: 'Under review', tone: 'bad' },
  problem: { label: 'Problem reported', tone: 'bad' },
  cancellation: { label: 'Cancellation requested', tone: 'warn' },
  delivered: { label: 'Documents delivered', tone: 'ok' },
  overdue: { label: 'Documents overdue', tone: 'bad' },
  awaiting_documents: { label: 'Awaiting documents', tone: 'info' },
};

export interface StageFacts {
  frozen: boolean;
  /** a reported problem is open */
  problem: boolean;
  /** someone has asked to cancel the sale */
  cancellation: boolean;
  /** the documents are delivered */
  delivered: boolean;
  documentsDue: Date | null;
}

/** What blocks everything else comes first. */
export function stageOf(sale: StageFacts, now: Date): EscrowStage {
  if (sale.frozen) return 'frozen';
  if (sale.problem) return 'problem';
  if (sale.cancellation) return 'cancellation';
  if (sale.delivered) return 'delivered';
  return sale.documentsDue !== null && sale.documentsDue <= now ? 'overdue' : 'awaiting_documents';
}
