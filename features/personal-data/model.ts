import { z } from 'zod';

/** How often somebody may have all of it written out, or try a password to close the account. */
export const personalDataLimits = {
  export: [{ name: 'export-data', limit: 10, windowSeconds: 3_600 }],
  close: [{ name: 'close-account', limit: 5, windowSeconds: 15 * 60 }],
} as const;

export const closeAccountSchema = z.object({
  password: z
    .string('Password is required')
    .min(1, 'Password is required')
    .max(1_000, 'Password is required'),
});

/** Who wrote and bought what is kept of a closed account. */
export const CLOSED_NAME = 'Former buyer';
