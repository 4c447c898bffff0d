import { type MailContent, renderMail } from '#gateways/mail/layout.ts';
import type { Ctx } from '#platform/context.ts';
import { brandName, supportAddress } from './reads.ts';

/**
 * Renders a mail in the standard layout under the marketplace's name, with its support address.
 * @throws MailError `invalid` unless every link is an http or https URL
 */
export const layoutMail = async (ctx: Ctx, content: MailContent): Promise<{ text: string; html: string }> =>
  renderMail(await brandName(ctx), content, await supportAddress(ctx));

/** Under which name mails are sent, and where answers to them go. */
export const mailSender = async (ctx: Ctx): Promise<{ senderName: string; replyTo: string }> => ({
  senderName: await brandName(ctx),
  replyTo: await supportAddress(ctx),
});
