import { layoutMail } from '#features/settings/mails.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';

interface Recipient {
  name: string;
  /** null for a seller whose record was deleted, who is not mailed */
  email: string | null;
}

interface Reported {
  reportId: string;
  /** of the property that the conversation is about */
  address: string;
}

/** Queues the warning of a person whose messages were reported, in the current transaction. */
export async function mailWarning(
  ctx: Ctx,
  to: Recipient,
  { reportId, address }: Reported,
  note: string,
): Promise<void> {
  if (to.email === null) return;
  await queueMail(ctx, {
    idempotencyKey: `report.warn:${reportId}`,
    to: { address: to.email, name: to.name },
    subject: 'A warning about your messages',
    ...(await layoutMail(ctx, {
      heading: 'A warning about your messages',
      paragraphs: [
        `A conversation about ${address} was reported to us, and we have read it.`,
        note,
        'If this happens again, your account may be suspended.',
      ],
    })),
  });
}

/** Queues the word to whoever reported a conversation that it was decided, in the current transaction. */
export async function mailReportDecided(
  ctx: Ctx,
  to: Recipient,
  { reportId, address }: Reported,
  acted: boolean,
): Promise<void> {
  if (to.email === null) return;
  await queueMail(ctx, {
    idempotencyKey: `report.decided:${reportId}`,
    to: { address: to.email, name: to.name },
    subject: 'We reviewed your report',
    ...(await layoutMail(ctx, {
      heading: 'We reviewed your report',
      paragraphs: [
        `An administrator has read the conversation about ${address} that you reported.`,
        acted
          ? 'We have taken action. Thank you for telling us.'
          : 'We found nothing that breaks our rules. You can still block the other person in the conversation.',
      ],
    })),
  });
}
