import type { PropertyStatus } from '#features/listings/model.ts';
import { sharedRefusals } from '#features/listings/refusals.ts';
import { hasRole, nobody, signedIn } from '#platform/access.ts';
import type { Actor, UserActor } from '#platform/context.ts';
import { formatCount } from '#platform/format-count.ts';
import {
  type InquiryRefusal,
  MESSAGE_LIMIT,
  PROPERTY_GONE,
  REPORT_LIMIT,
  type ReplyRefusal,
  type Side,
} from './model.ts';
import type { DecideReportResult } from './oversight-model.ts';

/** Any signed-in user may inquire; `inquiryRefusal` decides about which listings. */
export const mayInquire = signedIn;

/** Digests are sent by a scheduled job only. */
export const maySendDigests = nobody;
/** What two people wrote to each other is for what the system does by itself. */
export const maySeeCorrespondence = nobody;
/** Administrators read conversations, each time recorded, and decide about reports; they write in none. */
export const mayOversee = hasRole('admin');

/** Why a decision about a report was refused. */
export const decisionRefusals: Record<Extract<DecideReportResult, { ok: false }>['reason'], string> = {
  decided: 'Another administrator has already decided this report.',
  empty: 'Please say why.',
  too_long: `A text can have at most ${formatCount(REPORT_LIMIT)} characters.`,
  impossible: 'This account is archived, closed or of an administrator, and cannot be suspended.',
};

interface InquiryTarget {
  status: PropertyStatus;
  seller: { id: string; suspended: boolean };
}

/** Why this user cannot inquire about this listing, or null. A suspended seller has read-only access. */
export function inquiryRefusal(actor: Actor, listing: InquiryTarget): InquiryRefusal | null {
  if (actor.kind === 'user' && actor.agentId === listing.seller.id) return 'own';
  if (actor.kind === 'user' && actor.suspended) return ownSuspension(actor);
  if (listing.status !== 'Active') return 'unavailable';
  return listing.seller.suspended ? 'suspended' : null;
}

/** A suspended seller can read everything and change nothing; a suspended buyer cannot ask or write. */
const ownSuspension = ({ role }: Pick<UserActor, 'role'>) =>
  role === 'agent' ? 'read_only' : 'account_suspended';

interface ReplyContext {
  gone: boolean;
  side: Side;
  seller: { suspended: boolean };
  blockedByMe: boolean;
  blockedByOther: boolean;
}

/** Why this user cannot write in their conversation, or null. */
export function replyRefusal(
  actor: Pick<UserActor, 'role' | 'suspended'>,
  thread: ReplyContext,
): ReplyRefusal | null {
  if (thread.gone) return 'gone';
  if (actor.suspended) return ownSuspension(actor);
  if (thread.blockedByMe) return 'blocked_by_me';
  if (thread.blockedByOther) return 'blocked';
  return thread.seller.suspended ? 'suspended' : null;
}

export const refusalText: Record<InquiryRefusal | ReplyRefusal | 'empty' | 'too_long', string> = {
  ...sharedRefusals,
  gone: PROPERTY_GONE,
  blocked_by_me: 'You have blocked this person. Unblock them to send a message.',
  unavailable: 'This property is no longer accepting inquiries.',
  suspended: 'This seller is not accepting inquiries right now.',
  account_suspended: 'Your account is suspended. You cannot send messages.',
  empty: 'Please write a message.',
  too_long: `A message can have at most ${formatCount(MESSAGE_LIMIT)} characters.`,
};

/** The toast after an action in a conversation. */
export function actionToast(
  action: 'report' | 'block' | 'unblock',
  name: string,
): { title: string; text: string } {
  if (action === 'report')
    return { title: 'Conversation reported', text: 'An administrator will review it.' };
  if (action === 'block') return { title: 'Blocked', text: `${name} can no longer message you.` };
  return { title: 'Unblocked', text: `${name} can message you again.` };
}

/** Why a report is rejected. */
export const reportText: Record<'empty' | 'too_long', string> = {
  empty: 'Please say what is wrong.',
  too_long: `A report can have at most ${formatCount(REPORT_LIMIT)} characters.`,
};
