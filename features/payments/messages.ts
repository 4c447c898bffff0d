export const messageStatuses = ['received', 'processed', 'ignored', 'dead'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** A message of a payment provider; its content is never shown. Times are ISO, UTC. */
export interface ProviderMessage {
  id: number;
  provider: string;
  type: string;
  /** what it is about, in the provider's words; null when it does not say */
  reference: string | null;
  status: MessageStatus;
  attempts: number;
  failure: string | null;
  receivedAt: string;
  /** when it was processed or ignored */
  processedAt: string | null;
  /** the sale that it is about, as far as its references say */
  sale: { id: string; address: string } | null;
}

export interface ProviderMessagePage {
  messages: ProviderMessage[];
  /** what the next page comes before; null on the last one */
  older: number | null;
}

/** What became of a message, in a word. */
export const messageOutcomes: Record<MessageStatus, string> = {
  received: 'Waiting',
  processed: 'Processed',
  ignored: 'Not needed',
  dead: 'Failed',
};
