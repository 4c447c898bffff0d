import { z } from 'zod';
import { emailAddress } from '#features/accounts/model.ts';
import { registerSchema } from './model.ts';
import { INVALID_PHONE, parsePhone } from './phone.ts';

/** The form with which an administrator invites a seller; the phone number may be left out. */
export const inviteSchema = z.object({
  name: registerSchema.shape.name,
  email: emailAddress('Invalid email address'),
  phone: z
    .string()
    .default('')
    .transform((typed, check) => {
      const phone = parsePhone(typed);
      if (phone === undefined) check.addIssue({ code: 'custom', message: INVALID_PHONE });
      return phone ?? null;
    }),
});
