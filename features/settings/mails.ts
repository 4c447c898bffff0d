import { type MailContent, renderMail } from '#gateways/mail/layout.ts';
import type { Ctx } from '#platform/context.ts';
import { brandName } from './reads.ts';

/**
 * Renders a mail in the standard layout under the marketplace's name.
 * @throws MailError `invalid` unless every link is an http or https URL
 */
export const layoutMail = async (ctx: Ctx, content: MailContent): Promise<{ text: string; html: string }> =>
  renderMail(await brandName(ctx), content);
