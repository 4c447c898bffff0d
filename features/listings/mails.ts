import { layoutMail } from '#features/settings/mails.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { paths } from '#routing/paths.ts';

/** Queues a mail to the seller of a listing that was just approved, in the current transaction; once for each approval. */
export async function mailApproval(ctx: Ctx, propertyId: string): Promise<void> {
  const { address, name, email } = await ctx.db
    .q()
    .selectFrom('properties as p')
    .innerJoin('agents as a', 'a.id', 'p.agent_id')
    .select(['p.address', 'a.name', 'a.email'])
    .where('p.id', '=', propertyId)
    .executeTakeFirstOrThrow();
  const heading = `${address} is for sale now`;
  await queueMail(ctx, {
    idempotencyKey: `listing.approved:${propertyId}:${ctx.now().getTime()}`,
    to: { address: email, name },
    subject: heading,
    ...(await layoutMail(ctx, {
      heading,
      paragraphs: ['Your listing was approved. Buyers can find it, write to you and purchase it.'],
      button: { label: 'View your listing', url: ctx.config.publicUrl + paths.property(propertyId) },
      footer: 'You are receiving this email because you are the seller of this property.',
    })),
  });
}
