import type { ListingPicture } from '#features/listings/model.ts';
import type { BoundedCount } from '#platform/counts.ts';
import type { MessageFile } from './model.ts';

/** Where a conversation stands, by its newest message; the view `inquiry_states` computes it. */
export type InquiryState = 'pending' | 'buyer_reply' | 'seller_replied' | 'agent_replied';

/** One row of the administrators' list. */
export interface OverseenInquiry {
  id: string;
  property: { id: string; address: string; town: string; type: string; picture: ListingPicture | null };
  seller: string;
  buyer: string;
  /** the inquiry's own text, cut to 300 characters */
  message: string;
  /** 'error' when it could not be computed */
  state: InquiryState | 'error';
  /** seconds until the seller's first reply; null without one, 'error' when it could not be computed */
  responseSeconds: number | null | 'error';
  /** ISO, UTC */
  at: string;
}

export interface OverseenInquiries {
  rows: OverseenInquiry[];
  /** of all pages */
  total: BoundedCount;
  page: number;
  pages: number;
}

/** Who wrote a message, as administrators see it: neither party, when the property has another seller now. */
export type HistorySender = 'buyer' | 'seller' | 'unknown';

export interface HistoryMessage {
  id: string;
  sender: HistorySender;
  text: string;
  /** ISO, UTC */
  at: string;
  file: MessageFile | null;
}

/** A conversation as administrators read it. */
export interface MessageHistory {
  id: string;
  /** one of its parties has reported it, so that its files can be opened */
  reported: boolean;
  property: { id: string; address: string; town: string };
  buyer: { name: string; email: string };
  /** the seller's name; empty when there is none */
  seller: string;
  /** the text that opened it, which is no message of its own */
  inquiry: { text: string; at: string };
  /** a page of the messages, oldest first */
  messages: HistoryMessage[];
  /** cursor of the next page of older messages; null if these include the first one */
  before: string | null;
}

/** What an administrator does about a report. */
export const reportDecisions = ['warned', 'suspended', 'closed'] as const;
export type ReportDecision = (typeof reportDecisions)[number];

/** A reported conversation. Times are ISO, UTC. */
export interface ReportedConversation {
  id: string;
  inquiryId: string;
  property: { id: string; address: string; town: string };
  reporter: { side: 'buyer' | 'seller'; name: string };
  /** the other side, whom the report is about */
  reported: {
    side: 'buyer' | 'seller';
    name: string;
    /** has a seller's account; a seller can be the buyer of a conversation, too */
    isSeller: boolean;
  };
  reason: string;
  at: string;
  /** null while it is open */
  decided: { decision: ReportDecision; by: string; note: string | null; at: string } | null;
}

export interface ReportQueue {
  rows: ReportedConversation[];
  /** of all pages */
  total: BoundedCount;
  page: number;
  pages: number;
}

export type DecideReportResult =
  | { ok: true; reported: string }
  | { ok: false; reason: 'decided' | 'empty' | 'too_long' | 'impossible' };
