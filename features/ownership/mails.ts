import { layoutMail } from '#features/settings/mails.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { paths } from '#routing/paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';

interface DecidedProof {
  id: string;
  propertyId: string;
  address: string;
  seller: { name: string; email: string };
  /** why it was refused; null when it was verified */
  reason: string | null;
}

/** Queues a mail to the seller whose proof of ownership was just decided, in the current transaction; once for each proof. */
export async function mailProofDecided(
  ctx: Ctx,
  { id, propertyId, address, seller, reason }: DecidedProof,
): Promise<void> {
  const heading =
    reason === null
      ? `The ownership of ${address} is verified`
      : `The proof of ownership for ${address} was refused`;
  await queueMail(ctx, {
    idempotencyKey: `ownership.decided:${id}`,
    to: { address: seller.email, name: seller.name },
    subject: heading,
    ...(await layoutMail(ctx, {
      heading,
      paragraphs:
        reason === null
          ? [
              'An administrator compared your document with the listing. The page of the property now says ‘Ownership verified’.',
              'It is withdrawn when the address or the seller of the listing changes.',
            ]
          : [
              'An administrator compared your document with the listing.',
              `Reason: ${reason}`,
              'You can upload another document.',
            ],
      button:
        reason === null
          ? { label: 'View your listing', url: ctx.config.publicUrl + paths.property(propertyId) }
          : {
              label: 'Upload another document',
              url: ctx.config.publicUrl + sellerPaths.ownership(propertyId),
            },
      footer: 'You are receiving this email because you are the seller of this property.',
    })),
  });
}
