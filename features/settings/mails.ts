import { type MailContent, renderMail } from '#gateways/mail/layout.ts';
import type { Ctx } from '#platform/context.ts';
import { brandName, supportAddress } from './reads.ts';

type LayoutMail = (content: MailContent) => { text: string; html: string };

/**
 * The standard layout of mails under the marketplace's name, with its support address. What it returns renders any number of mails, and
 * throws MailError `invalid` unless every link is an http or https URL.
 */
export async function mailLayout(ctx: Ctx): Promise<LayoutMail> {
  const [brand, support] = [await brandName(ctx), await supportAddress(ctx)];
  return (content) => renderMail(brand, content, support);
}

/**
 * Renders one mail in the standard layout.
 * @throws MailError `invalid` unless every link is an http or https URL
 */
export const layoutMail = async (ctx: Ctx, content: MailContent): Promise<ReturnType<LayoutMail>> =>
  (await mailLayout(ctx))(content);

/** Under which name mails are sent, and where answers to them go. */
export const mailSender = async (ctx: Ctx): Promise<{ senderName: string; replyTo: string }> => ({
  senderName: await brandName(ctx),
  replyTo: await supportAddress(ctx),
});
