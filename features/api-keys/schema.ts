import { z } from 'zod';
import { MAX_KEY_NAME, MAX_PER_MINUTE, scopes } from './model.ts';

/** What is typed for a new key. */
export const newKeySchema = z.object({
  name: z
    .string('Name is required')
    .trim()
    .min(1, 'Name is required')
    .max(MAX_KEY_NAME, `Name must be at most ${MAX_KEY_NAME} characters`),
  scopes: z.array(z.enum(scopes), 'Choose what the key may read').min(1, 'Choose what the key may read'),
  perMinute: z.coerce
    .number('Enter a number')
    .int('Enter a whole number')
    .min(1, 'At least 1 request a minute')
    .max(MAX_PER_MINUTE, `At most ${MAX_PER_MINUTE} requests a minute`),
});
