import { z } from 'zod';
import { notificationKinds } from './model.ts';

/** The body of a call that asks for the mail about a message. */
export const inquiryNotificationSchema = z.object({
  inquiryId: z.uuid(),
  messageId: z.uuid(),
  type: z.enum(notificationKinds),
});
