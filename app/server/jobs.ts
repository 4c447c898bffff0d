import type { Mailer } from '#gateways/mail/port.ts';
import { sweepEvents } from '#platform/events/events.ts';
import type { JobHandler } from '#platform/jobs/job.ts';
import { sweepLimits } from '#platform/limits.ts';
import { deliverMail, sweepMail } from '#platform/outbox/outbox.ts';

/** Everything that this process does in the background. */
export const jobHandlers = ({ mailer }: { mailer: Mailer }): JobHandler[] => [
  deliverMail((mail) => mailer.send(mail)),
  sweepMail,
  sweepEvents,
  sweepLimits,
];
