import { z } from 'zod';
import { MAX_NAME_LENGTH } from './model.ts';

// Separate from model.ts, so that the public property list does not load zod.

const name = z
  .string('Name is required')
  .trim()
  .min(1, 'Name is required')
  .max(MAX_NAME_LENGTH, `Name must be at most ${MAX_NAME_LENGTH} characters`);
const cadence = z.enum(['instant', 'daily'], 'Choose when to be notified');

export const saveSearchSchema = z.object({ name, cadence });
export const changeSearchSchema = z.object({ name: name.optional(), cadence: cadence.optional() });
