import type { ListingCard } from '#features/listings/model.ts';

/** Longest message of an inquiry or a reply, in characters (B-050). */
export const MESSAGE_LIMIT = 4000;
/** Longest reason of a report, in characters. */
export const REPORT_LIMIT = 2000;

export const INQUIRY_SENT = { title: 'Inquiry Sent', text: 'The seller will get back to you soon.' } as const;
export const SEND_FAILED = 'Failed to send message. Please try again.';
export const PROPERTY_GONE = 'Property no longer available';

/** As what somebody takes part in a conversation. */
export type Side = 'buyer' | 'seller';

/** The seller's label: pending until the newest message is the seller's (S0 §4, B-055). */
export type InquiryLabel = 'pending' | 'resolved';

/** Why a listing takes no inquiry from this person. */
export type InquiryRefusal = 'own' | 'unavailable' | 'suspended' | 'read_only' | 'blocked';

export type InquiryResult =
  | { ok: true; inquiryId: string }
  | { ok: false; reason: InquiryRefusal | 'empty' | 'too_long' };

/** What the property page answers to its inquiry form; a refusal carries the text beside the field and what was typed. */
export type InquiryAnswer = { ok: true } | { ok: false; text: string; message: string };

/** Why nothing more can be written in a conversation. `blocked_by_me` is taken back by unblocking. */
export type ReplyRefusal = 'gone' | 'blocked_by_me' | 'blocked' | 'suspended' | 'read_only';

/** A stored reply, `at` in ISO, UTC, or why there is none. */
export type ReplyResult =
  | { ok: true; messageId: string; at: string }
  | { ok: false; reason: ReplyRefusal | 'empty' | 'too_long' };

export type ReportResult = { ok: true } | { ok: false; reason: 'empty' | 'too_long' };

export type InboxFilter = 'all' | 'needs_response';

/** The property of a conversation. `totalCents` is null while the viewer may not see its page, and `canOpen` false. */
export interface InquiryProperty
  extends Pick<ListingCard, 'id' | 'address' | 'town' | 'type' | 'picture' | 'status'> {
  totalCents: number | null;
  canOpen: boolean;
}

/** One conversation in the list. */
export interface InboxRow {
  id: string;
  /** null: 'Property no longer available' (B-061) */
  property: InquiryProperty | null;
  other: { name: string };
  /** the newest text, at most its first 200 characters */
  newest: string;
  /** true when the newest text is the viewer's own */
  newestIsMine: boolean;
  /** when it was written; ISO, UTC */
  at: string;
  unread: number;
  label: InquiryLabel;
}

/** A page of conversations, newest first. */
export interface Inbox {
  side: Side;
  rows: InboxRow[];
  counts: { all: number; needsResponse: number };
  /** where the next, older page begins; null on the last one */
  before: string | null;
}

export interface ThreadMessage {
  /** the inquiry's own id for its first text (B-051) */
  id: string;
  /** what one's own message was sent under, so that the page knows it again; null for everybody else's */
  key: string | null;
  /** 'support' when the writer is neither party (B-055) */
  sender: Side | 'support';
  mine: boolean;
  text: string;
  /** ISO, UTC */
  at: string;
  /** the other party has opened the conversation since; only ever true for one's own (B-058) */
  seen: boolean;
  /** false: addresses in the text stay plain text, since the writer's mail address is not verified */
  links: boolean;
}

/** One conversation, with a page of its messages, oldest first. */
export interface Thread {
  id: string;
  side: Side;
  /** null: 'Property no longer available' (B-061) */
  property: InquiryProperty | null;
  other: { name: string };
  label: InquiryLabel;
  reply: { allowed: true } | { allowed: false; reason: ReplyRefusal; text: string };
  blockedByMe: boolean;
  /** the viewer's report of it waits for an administrator */
  reported: boolean;
  messages: ThreadMessage[];
  /** where the page of older messages ends; null when these begin with the first text */
  before: string | null;
}

/** What can be done in a conversation. */
export const inboxDeeds = ['reply', 'read', 'report', 'block', 'unblock'] as const;
export type InboxDeed = (typeof inboxDeeds)[number];

/** What a form of the conversation answers when it was refused: why, in words, and what was typed. */
export interface InboxAnswer {
  deed: InboxDeed;
  text: string;
  typed: string;
}

/** The same for scripts. */
export type DeedResult = { ok: true } | { ok: false; text: string };

/** Where somebody stands among their conversations: what the address says. */
export interface InboxPlace {
  side: Side;
  inquiry: string | null;
  filter: InboxFilter;
  /** the page of older conversations */
  before: string | null;
  /** the page of older messages, for people without scripts */
  older: string | null;
  /** the dialog that is open */
  asked: 'report' | 'block' | null;
}

/** A page with one's conversations and the open one. */
export interface InboxPage {
  place: InboxPlace;
  inbox: Inbox;
  thread: Thread | null;
  /** for the message that is sent without scripts: the same when that is repeated */
  sendingKey: string;
}
