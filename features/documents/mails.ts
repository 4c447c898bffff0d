import { layoutMail } from '#features/settings/mails.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';

/** Queues a mail to whoever uploaded a document in which malware was found after it had been held, in the current transaction. */
export async function mailInfected(
  ctx: Ctx,
  document: { id: string; name: string; address: string | null; uploadedBy: string },
): Promise<void> {
  const user = await ctx.db
    .q()
    .selectFrom('users')
    .select(['email', 'name'])
    .where('id', '=', document.uploadedBy)
    .executeTakeFirst();
  if (!user) return;
  const heading = 'A document was removed: it contains malware';
  await queueMail(ctx, {
    idempotencyKey: `document.infected:${document.id}`,
    to: { address: user.email, name: user.name },
    subject: heading,
    ...(await layoutMail(ctx, {
      heading,
      paragraphs: [
        `‘${document.name}’, which you uploaded${document.address ? ` for ${document.address}` : ''}, was held until it could be scanned. The scanner now reports malware in it, so it was deleted. It was never downloaded from here.`,
        'Check the computer that the file came from, and upload a clean copy.',
      ],
    })),
  });
}
