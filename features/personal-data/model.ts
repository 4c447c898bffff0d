import { z } from 'zod';

export const closeAccountSchema = z.object({
  password: z
    .string('Password is required')
    .min(1, 'Password is required')
    .max(1_000, 'Password is required'),
});

/** The name shown for a closed account. */
export const CLOSED_NAME = 'Former buyer';
/** The domain of closed accounts' addresses, to which no mail is sent. */
export const CLOSED_ACCOUNT_DOMAIN = '@closed.invalid';
