import { layoutMail } from '#features/settings/mails.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { paths } from '#routing/paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { statusLabel } from './display.ts';
import type { PropertyStatus } from './model.ts';

const FOOTER = 'You are receiving this email because you are the seller of this property.';

const sellerOf = (ctx: Ctx, propertyId: string) =>
  ctx.db
    .q()
    .selectFrom('properties as p')
    .innerJoin('agents as a', 'a.id', 'p.agent_id')
    .select(['p.address', 'a.name', 'a.email'])
    .where('p.id', '=', propertyId)
    .executeTakeFirstOrThrow();

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
      footer: FOOTER,
    })),
  });
}

/** Queues a mail to the seller of a listing whose status an administrator has set, in the current transaction. */
export async function mailStatus(
  ctx: Ctx,
  change: { propertyId: string; from: PropertyStatus; to: PropertyStatus; reason: string },
): Promise<void> {
  const { propertyId, from, to, reason } = change;
  const { address, name, email } = await sellerOf(ctx, propertyId);
  const heading = `${address} is ${statusLabel[to]} now`;
  await queueMail(ctx, {
    idempotencyKey: `listing.status:${propertyId}:${to}:${ctx.now().getTime()}`,
    to: { address: email, name },
    subject: heading,
    ...(await layoutMail(ctx, {
      heading,
      paragraphs: [
        `An administrator changed the status of your listing from ${statusLabel[from]} to ${statusLabel[to]}.`,
        ...(reason ? [`Reason: ${reason}`] : []),
      ],
      button: { label: 'View your listings', url: ctx.config.publicUrl + sellerPaths.properties() },
      footer: FOOTER,
    })),
  });
}

/** Queues a mail to the seller whom an administrator has given a listing, new or another seller's, in the current transaction. */
export async function mailGivenListing(ctx: Ctx, propertyId: string): Promise<void> {
  const { address, name, email } = await sellerOf(ctx, propertyId);
  const heading = `${address} is one of your listings now`;
  await queueMail(ctx, {
    idempotencyKey: `listing.given:${propertyId}:${ctx.now().getTime()}`,
    to: { address: email, name },
    subject: heading,
    ...(await layoutMail(ctx, {
      heading,
      paragraphs: [
        'An administrator added this property to your listings. You can change it and answer questions about it.',
      ],
      button: { label: 'View your listings', url: ctx.config.publicUrl + sellerPaths.properties() },
      footer: FOOTER,
    })),
  });
}

/** Queues a mail to the seller whose listing an administrator has given to another one, in the current transaction. */
export async function mailTakenListing(
  ctx: Ctx,
  { propertyId, agentId }: { propertyId: string; agentId: string },
): Promise<void> {
  const [{ address }, { name, email }] = await Promise.all([
    sellerOf(ctx, propertyId),
    ctx.db
      .q()
      .selectFrom('agents')
      .select(['name', 'email'])
      .where('id', '=', agentId)
      .executeTakeFirstOrThrow(),
  ]);
  const heading = `${address} is no longer one of your listings`;
  await queueMail(ctx, {
    idempotencyKey: `listing.taken:${propertyId}:${ctx.now().getTime()}`,
    to: { address: email, name },
    subject: heading,
    ...(await layoutMail(ctx, {
      heading,
      paragraphs: [
        'An administrator gave this property to another seller, who answers questions about it from now on.',
      ],
      footer: 'You are receiving this email because you were the seller of this property.',
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
        url: ctx.config.publicUrl + sellerPaths.editProperty(propertyId),
      },
      footer: FOOTER,
    })),
  });
}
