import { unsubscribeLink } from '#features/notifications/mails.ts';
import { createRegistrationLink } from '#features/sellers/commands/create-registration-link.ts';
import { layoutMail } from '#features/settings/mails.ts';
import { brandName } from '#features/settings/reads.ts';
import { asSystem, type Ctx, type Role } from '#platform/context.ts';
import { isQueued, queueMail } from '#platform/outbox/outbox.ts';
import { paths } from '#routing/paths.ts';
import type { MessageNotice, Side } from './model.ts';
import type { Conversation } from './parties.ts';

const FOOTER = 'You are receiving this email because of a conversation about a property.';

/** The URL at which a party reads the conversation. */
const conversationUrl = (ctx: Ctx, side: Side, role: Role, inquiry: string): string =>
  ctx.config.publicUrl +
  (side === 'buyer'
    ? paths.activity(role, { tab: 'inquiries', inquiry })
    : paths.sellerInquiries({ inquiry }));

/**
 * Mails a new inquiry or a new response to the other party, once for each message. Text of a buyer whose own address is
 * not verified is left out, since mail clients turn URLs in it into links.
 */
export async function mailMessage(
  ctx: Ctx,
  thread: Conversation,
  notice: MessageNotice,
  to: string,
): Promise<void> {
  const { buyer, seller, property } = thread;
  const [writer, recipient, side] =
    notice.from === 'buyer' ? ([buyer, seller, 'seller'] as const) : ([seller, buyer, 'buyer'] as const);
  const heading = `${notice.first ? 'New inquiry' : 'New message'} about ${property.address}`;
  const unsubscribe = unsubscribeLink(ctx, to, 'messages');
  await queueMail(ctx, {
    idempotencyKey: mailKey(notice.id),
    to: { address: recipient.email, name: recipient.name },
    subject: heading,
    unsubscribeUrl: unsubscribe.url,
    ...(await layoutMail(ctx, {
      heading,
      paragraphs: [
        `${writer.name} wrote to you.`,
        ...(notice.from === 'seller' || buyer.verified ? [notice.text] : []),
      ],
      preview: `${writer.name} wrote to you.`,
      button: { label: 'Open the conversation', url: conversationUrl(ctx, side, buyer.role, thread.id) },
      footer: FOOTER,
      footerLink: unsubscribe,
    })),
  });
}

/**
 * Mails a new inquiry to a seller who has no account yet, with a link to register and answer it there; once for each inquiry.
 * Text of a buyer whose own address is not verified is left out.
 */
export async function mailUnregisteredSeller(
  ctx: Ctx,
  { buyer, seller, property }: Conversation,
  notice: MessageNotice,
): Promise<void> {
  const idempotencyKey = mailKey(notice.id);
  if (await isQueued(ctx, idempotencyKey)) return;
  const heading = `New inquiry about ${property.address}`;
  const brand = await brandName(ctx);
  const system = asSystem(ctx, 'inquiries');
  await queueMail(ctx, {
    idempotencyKey,
    to: { address: seller.email, name: seller.name },
    subject: heading,
    ...(await layoutMail(ctx, {
      heading,
      paragraphs: [
        `${buyer.name} wrote to you.`,
        ...(buyer.verified ? [notice.text] : []),
        'A seller account is ready for you. Choose a password to open it and answer. The link works once and for seven days.',
      ],
      preview: `${buyer.name} wrote to you.`,
      button: {
        label: 'Complete your registration',
        url: await createRegistrationLink(system, { sellerId: seller.agentId }),
      },
      footer: `You are receiving this email because a property of yours is listed at ${brand}.`,
    })),
  });
}

const mailKey = (messageId: string): string => `message:${messageId}`;

/** The unread messages of one conversation, as listed in a digest. */
export interface DigestThread {
  inquiry: string;
  /** the newest unread message */
  message: string;
  address: string;
  writer: string;
  count: number;
  side: Side;
}

/** How many conversations a digest lists individually. */
const MAX_LISTED = 20;

/** Mails one recipient a digest of the unread messages in all their conversations, without the message texts. */
export async function mailDigest(
  ctx: Ctx,
  recipient: { id: string; name: string; email: string; role: Role },
  threads: readonly DigestThread[],
): Promise<void> {
  const [newest] = threads;
  if (!newest) return;
  const total = threads.reduce((sum, { count }) => sum + count, 0);
  const heading = total === 1 ? 'You have an unread message' : `You have ${total} unread messages`;
  const more = threads.length - MAX_LISTED;
  const unsubscribe = unsubscribeLink(ctx, recipient.id, 'messages');
  const list =
    newest.side === 'buyer' ? paths.activity(recipient.role, { tab: 'inquiries' }) : paths.sellerInquiries();
  await queueMail(ctx, {
    idempotencyKey: `digest:${recipient.id}:${newest.message}`,
    to: { address: recipient.email, name: recipient.name },
    subject: heading,
    unsubscribeUrl: unsubscribe.url,
    ...(await layoutMail(ctx, {
      heading,
      paragraphs: [
        ...threads
          .slice(0, MAX_LISTED)
          .map(({ address, writer, count }) => `${address}: ${count} from ${writer}`),
        ...(more > 0 ? [`And ${more} more conversations.`] : []),
      ],
      button:
        threads.length === 1
          ? {
              label: 'Open the conversation',
              url: conversationUrl(ctx, newest.side, recipient.role, newest.inquiry),
            }
          : { label: 'Open your conversations', url: ctx.config.publicUrl + list },
      footer: FOOTER,
      footerLink: unsubscribe,
    })),
  });
}
