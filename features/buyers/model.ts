import type { Selectable } from 'kysely';
import type { EscrowStatus, PaymentStatus } from '#features/sales/model.ts';
import type { BoundedCount } from '#platform/counts.ts';
import type { DB } from '#platform/db/schema.gen.ts';

/** What an account can do: one that is not confirmed cannot sign in, one that is closed is nobody's anymore. */
export type BuyerStatus = 'active' | 'suspended' | 'unconfirmed' | 'closed';

/** One row of the administrators' list of buyers. */
export interface BuyerRow {
  id: string;
  name: string;
  email: string;
  status: BuyerStatus;
  /** purchases that were paid or are being paid */
  purchases: number;
  inquiries: number;
  /** ISO, UTC */
  joinedAt: string;
}

export interface BuyerList {
  rows: BuyerRow[];
  /** of all pages */
  total: BoundedCount;
  page: number;
  pages: number;
}

/** How many of each kind the details show, the newest first. */
export const DETAIL_ROWS = 10;

/** The newest rows of one kind, and how many there are. */
interface Newest<Row> {
  rows: Row[];
  total: BoundedCount;
}

export type MailStatus = 'queued' | 'sent' | 'dead' | 'dropped';

/** Where a conversation stands. */
export type InquiryState = Selectable<DB['property_inquiries']>['state'];

/** What an administrator sees of a buyer. Times are ISO, UTC. */
export interface BuyerDetails extends Pick<BuyerRow, 'id' | 'name' | 'email' | 'status' | 'joinedAt'> {
  closedAt: string | null;
  suspension: { at: string; reason: string } | null;
  sales: Newest<{
    id: string;
    address: string;
    /** integer cents, with fees */
    totalCents: number;
    payment: PaymentStatus;
    escrow: EscrowStatus;
    /** paid with test keys on a server that takes real payments */
    testMode: boolean;
    at: string;
  }>;
  inquiries: Newest<{ id: string; address: string; state: InquiryState; at: string }>;
  mails: Newest<{ id: string; subject: string; status: MailStatus; problem: string | null; at: string }>;
  sessions: Newest<{ id: string; device: string; ip: string | null; startedAt: string; lastUsedAt: string }>;
}

export type SuspensionResult =
  | { ok: true; name: string }
  /** `unchanged`: another administrator was faster */
  | { ok: false; reason: 'empty' | 'too_long' | 'unchanged' | 'closed' };

/** What an administrator does about a buyer. */
export const buyerActions = ['suspend', 'reinstate'] as const;
export type BuyerAction = (typeof buyerActions)[number];
