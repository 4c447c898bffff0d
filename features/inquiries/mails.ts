import { paths } from '#app/paths.ts';
import { renderMail } from '#gateways/mail/layout.ts';
import { leaveToken } from '#platform/auth/leave-link.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import type { Side } from './model.ts';
import type { Conversation } from './parties.ts';
import type { Told } from './tell.ts';

const FOOTER = 'You get this mail because of a conversation about a property.';

/** Where a party reads the conversation. */
const pageOf = (ctx: Ctx, side: Side, inquiry: string): string =>
  ctx.config.publicUrl +
  (side === 'buyer' ? paths.buyerActivity({ tab: 'inquiries', inquiry }) : paths.agentInquiries({ inquiry }));

const leaveLink = (ctx: Ctx, userId: string) => ({
  label: 'Unsubscribe',
  url: ctx.config.publicUrl + paths.unsubscribe({ token: leaveToken(ctx.config, userId, 'messages') }),
});

/**
 * Mails a new inquiry or a new response to the other party, once for each message. The words of somebody whose own
 * address is not verified stay out of it: mail programs make links of them.
 */
export async function mailMessage(ctx: Ctx, thread: Conversation, told: Told, to: string): Promise<void> {
  const { buyer, seller, property } = thread;
  const [writer, reader, side] =
    told.from === 'buyer' ? ([buyer, seller, 'seller'] as const) : ([seller, buyer, 'buyer'] as const);
  const heading = `${told.first ? 'New inquiry' : 'New message'} about ${property.address}`;
  const leave = leaveLink(ctx, to);
  await queueMail(ctx, {
    idempotencyKey: `message:${told.id}`,
    to: { address: reader.email, name: reader.name },
    subject: heading,
    unsubscribeUrl: leave.url,
    ...renderMail({
      heading,
      paragraphs: [
        `${writer.name} wrote to you.`,
        ...(told.from === 'seller' || buyer.verified ? [told.text] : []),
      ],
      preview: `${writer.name} wrote to you.`,
      button: { label: 'Open the conversation', url: pageOf(ctx, side, thread.id) },
      footer: FOOTER,
      footerLink: leave,
    }),
  });
}

/** The unread messages of one conversation, as a digest names them. */
export interface DigestThread {
  inquiry: string;
  /** the newest of the messages that wait */
  message: string;
  address: string;
  writer: string;
  count: number;
  side: Side;
}

/** Conversations that a digest names one by one. */
const NAMED = 20;

/** Mails what waits for one reader in all their conversations; without the words themselves. */
export async function mailDigest(
  ctx: Ctx,
  reader: { id: string; name: string; email: string },
  threads: readonly DigestThread[],
): Promise<void> {
  const [newest] = threads;
  if (!newest) return;
  const total = threads.reduce((sum, { count }) => sum + count, 0);
  const heading = total === 1 ? 'You have an unread message' : `You have ${total} unread messages`;
  const more = threads.length - NAMED;
  const leave = leaveLink(ctx, reader.id);
  const list = newest.side === 'buyer' ? paths.buyerActivity({ tab: 'inquiries' }) : paths.agentInquiries();
  await queueMail(ctx, {
    idempotencyKey: `digest:${reader.id}:${newest.message}`,
    to: { address: reader.email, name: reader.name },
    subject: heading,
    unsubscribeUrl: leave.url,
    ...renderMail({
      heading,
      paragraphs: [
        ...threads.slice(0, NAMED).map(({ address, writer, count }) => `${address}: ${count} from ${writer}`),
        ...(more > 0 ? [`And ${more} more conversations.`] : []),
      ],
      button:
        threads.length === 1
          ? { label: 'Open the conversation', url: pageOf(ctx, newest.side, newest.inquiry) }
          : { label: 'Open your conversations', url: ctx.config.publicUrl + list },
      footer: FOOTER,
      footerLink: leave,
    }),
  });
}
