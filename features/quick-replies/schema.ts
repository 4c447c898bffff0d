import { z } from 'zod';
import { formatCount } from '#platform/format-count.ts';
import { MAX_REPLY_NAME, MAX_REPLY_TEXT } from './model.ts';

/** What is typed for a quick reply. */
export const quickReplySchema = z.object({
  name: z
    .string('Name is required')
    .trim()
    .min(1, 'Name is required')
    .max(MAX_REPLY_NAME, `Name must be at most ${MAX_REPLY_NAME} characters`),
  text: z
    .string('Text is required')
    .trim()
    .min(1, 'Text is required')
    .max(MAX_REPLY_TEXT, `Text must be at most ${formatCount(MAX_REPLY_TEXT)} characters`),
});
