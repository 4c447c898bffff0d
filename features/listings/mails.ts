import { layoutMail } from '#features/settings/mails.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { paths } from '#routing/paths.ts';
import type { PropertyStatus } from './model.ts';

/** Queues a mail to the seller of a listing that was just approved, in the current transaction; once for each approval. */
export async function mailApproval(ctx: Ctx, propertyId: string): Promise<void> {
  const { address, name, email } = await sellerOf(ctx, propertyId);
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

/**
 * Queues a mail to the seller of a listing that an administrator has just sent back, with the reason, in the current
 * transaction; once for each decision.
 */
export async function mailSentBack(
  ctx: Ctx,
  propertyId: string,
  { status, note }: { status: PropertyStatus; note: string },
): Promise<void> {
  const { address, name, email } = await sellerOf(ctx, propertyId);
  const rejected = status === 'rejected';
  const heading = rejected ? `${address} was rejected` : `Please change your listing of ${address}`;
  await queueMail(ctx, {
    idempotencyKey: `listing.${status}:${propertyId}:${ctx.now().getTime()}`,
    to: { address: email, name },
    subject: heading,
    ...(await layoutMail(ctx, {
      heading,
      paragraphs: [
        rejected
          ? 'We looked at your listing and cannot publish it as it is.'
          : 'We looked at your listing. Some of it has to be changed before it can be published.',
        note,
        'You can change the listing and submit it again.',
      ],
      button: {
        label: 'Open your listing',
        url: ctx.config.publicUrl + paths.sellerEditProperty(propertyId),
      },
      footer: 'You are receiving this email because you are the seller of this property.',
    })),
  });
}

const sellerOf = (ctx: Ctx, propertyId: string) =>
  ctx.db
    .q()
    .selectFrom('properties as p')
    .innerJoin('agents as a', 'a.id', 'p.agent_id')
    .select(['p.address', 'a.name', 'a.email'])
    .where('p.id', '=', propertyId)
    .executeTakeFirstOrThrow();
