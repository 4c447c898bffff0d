import type { ListingCard } from '#features/listings/model.ts';
import type { Role } from '#platform/context.ts';

/** Longest message of an inquiry or a reply, in characters. */
export const MESSAGE_LIMIT = 4000;
/** Longest reason for a report, in characters. */
export const REPORT_LIMIT = 2000;

export const INQUIRY_SENT = { title: 'Inquiry Sent', text: 'The seller will get back to you soon.' } as const;
export const SEND_FAILED = 'Failed to send message. Please try again.';
export const PROPERTY_GONE = 'Property no longer available';

/** The side on which a user takes part in a conversation. */
export type Side = 'buyer' | 'seller';

/** The seller's label: pending until the newest message is the seller's. */
export type InquiryLabel = 'pending' | 'resolved';

/** Why a user cannot inquire about a listing. */
export type InquiryRefusal =
  | 'own'
  | 'unavailable'
  | 'suspended'
  | 'read_only'
  | 'account_suspended'
  | 'blocked';

export type InquiryResult =
  | { ok: true; inquiryId: string }
  | { ok: false; reason: InquiryRefusal | 'empty' | 'too_long' };

/** Why a user cannot write in a conversation. `blocked_by_me` ends by unblocking. */
export type ReplyRefusal =
  | 'gone'
  | 'blocked_by_me'
  | 'blocked'
  | 'suspended'
  | 'read_only'
  | 'account_suspended';

/** A stored reply, with `at` in ISO 8601 UTC, or why it was refused. */
export type ReplyResult =
  | { ok: true; messageId: string; at: string }
  | { ok: false; reason: ReplyRefusal | 'empty' | 'too_long' };

export type ReportResult = { ok: true } | { ok: false; reason: 'empty' | 'too_long' };

export type InboxFilter = 'all' | 'needs_response';

/** The property of a conversation. While the viewer may not see its page, `totalCents` is null and `canOpen` false. */
export interface InquiryProperty
  extends Pick<ListingCard, 'id' | 'address' | 'town' | 'type' | 'picture' | 'status'> {
  totalCents: number | null;
  canOpen: boolean;
}

/** One conversation in the list. */
export interface InboxRow {
  id: string;
  /** null: 'Property no longer available' */
  property: InquiryProperty | null;
  other: { name: string };
  /** the newest message, cut to 200 characters */
  newest: string;
  /** true if the viewer wrote the newest message */
  newestIsMine: boolean;
  /** when it was written; ISO 8601, UTC */
  at: string;
  unread: number;
  label: InquiryLabel;
}

/** A page of conversations, newest first. */
export interface Inbox {
  side: Side;
  rows: InboxRow[];
  counts: { all: number; needsResponse: number };
  /** cursor of the next, older page; null on the last one */
  before: string | null;
}

/** A photo or PDF file that was sent with a message; `bytes` is its size. */
export interface MessageFile {
  id: string;
  name: string;
  kind: 'photo' | 'pdf';
  bytes: number;
}

export interface ThreadMessage {
  /** the inquiry's own id for its first message */
  id: string;
  /** idempotency key of the viewer's own messages, so that the page recognizes them; null for all others */
  key: string | null;
  /** 'support' if the sender is neither party */
  sender: Side | 'support';
  mine: boolean;
  text: string;
  /** ISO 8601, UTC */
  at: string;
  /** the other party has opened the conversation since; only ever true for the viewer's own messages */
  seen: boolean;
  /** false: URLs stay plain text, because the sender's e-mail address is not verified */
  links: boolean;
  file: MessageFile | null;
}

/** One conversation, with a page of its messages, oldest first. */
export interface Thread {
  id: string;
  side: Side;
  /** null: 'Property no longer available' */
  property: InquiryProperty | null;
  other: { name: string };
  label: InquiryLabel;
  reply: { allowed: true } | { allowed: false; reason: ReplyRefusal; text: string };
  blockedByMe: boolean;
  /** the viewer has reported it and an administrator has not decided yet */
  reported: boolean;
  messages: ThreadMessage[];
  /** cursor of the next page of older messages; null if these include the first one */
  before: string | null;
}

/** The actions of a conversation. */
export const inboxActions = ['reply', 'read', 'report', 'block', 'unblock'] as const;
export type InboxAction = (typeof inboxActions)[number];

/** The result of an action as JSON. */
export type InboxActionResult = { ok: true } | { ok: false; text: string };

/** The state of the inbox page that is kept in its URL. */
export interface InboxUrlState {
  side: Side;
  /** whose page it is: decides the path on the buyer's side */
  role: Role;
  inquiry: string | null;
  filter: InboxFilter;
  /** cursor of the page of older conversations */
  before: string | null;
  /** cursor of the page of older messages, used without JavaScript */
  older: string | null;
  /** the dialog that is open */
  openDialog: 'report' | 'block' | null;
  /** id of the quick reply that is put into the message, used without JavaScript */
  quickReply: string | null;
}

/** A text that a seller can put into a message. */
export interface QuickText {
  id: string;
  name: string;
  text: string;
}

/** The inbox page: the list of conversations and the open one. */
export interface InboxPage {
  urlState: InboxUrlState;
  inbox: Inbox;
  thread: Thread | null;
  /** a seller's texts for the open conversation */
  quickReplies: QuickText[];
  /** idempotency key for the message form without JavaScript */
  idempotencyKey: string;
}

/** What a mail about a message tells: a new inquiry, or a response in either direction. */
export const notificationKinds = ['new_inquiry', 'new_response'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** A new message, as its parties are told of it. */
export interface MessageNotice {
  /** id of the message, or of the inquiry for its first message */
  id: string;
  text: string;
  from: Side;
  first: boolean;
}
