import { unsubscribeLink } from '#features/notifications/mails.ts';
import { renderMail } from '#gateways/mail/layout.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { paths } from '#routing/paths.ts';
import type { MessageNotice, Side } from './model.ts';
import type { Conversation } from './parties.ts';

const FOOTER = 'You are receiving this email because of a conversation about a property.';

/** The URL at which a party reads the conversation. */
const conversationUrl = (ctx: Ctx, side: Side, inquiry: string): string =>
  ctx.config.publicUrl +
  (side === 'buyer'
    ? paths.buyerActivity({ tab: 'inquiries', inquiry })
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
    idempotencyKey: `message:${notice.id}`,
    to: { address: recipient.email, name: recipient.name },
    subject: heading,
    unsubscribeUrl: unsubscribe.url,
    ...renderMail({
      heading,
      paragraphs: [
        `${writer.name} wrote to you.`,
        ...(notice.from === 'seller' || buyer.verified ? [notice.text] : []),
      ],
      preview: `${writer.name} wrote to you.`,
      button: { label: 'Open the conversation', url: conversationUrl(ctx, side, thread.id) },
      footer: FOOTER,
      footerLink: unsubscribe,
    }),
  });
}

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
  recipient: { id: string; name: string; email: string },
  threads: readonly DigestThread[],
): Promise<void> {
  const [newest] = threads;
  if (!newest) return;
  const total = threads.reduce((sum, { count }) => sum + count, 0);
  const heading = total === 1 ? 'You have an unread message' : `You have ${total} unread messages`;
  const more = threads.length - MAX_LISTED;
  const unsubscribe = unsubscribeLink(ctx, recipient.id, 'messages');
  const list = newest.side === 'buyer' ? paths.buyerActivity({ tab: 'inquiries' }) : paths.sellerInquiries();
  await queueMail(ctx, {
    idempotencyKey: `digest:${recipient.id}:${newest.message}`,
    to: { address: recipient.email, name: recipient.name },
    subject: heading,
    unsubscribeUrl: unsubscribe.url,
    ...renderMail({
      heading,
      paragraphs: [
        ...threads
          .slice(0, MAX_LISTED)
          .map(({ address, writer, count }) => `${address}: ${count} from ${writer}`),
        ...(more > 0 ? [`And ${more} more conversations.`] : []),
      ],
      button:
        threads.length === 1
          ? { label: 'Open the conversation', url: conversationUrl(ctx, newest.side, newest.inquiry) }
          : { label: 'Open your conversations', url: ctx.config.publicUrl + list },
      footer: FOOTER,
      footerLink: unsubscribe,
    }),
  });
}
