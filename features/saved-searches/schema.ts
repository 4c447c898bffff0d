import { z } from 'zod';
import { MOST_NAME } from './model.ts';

// Beside the model and not in it: the page with the public list need not load the library for it.

const name = z
  .string('Name is required')
  .trim()
  .min(1, 'Name is required')
  .max(MOST_NAME, `Name must be at most ${MOST_NAME} characters`);
const cadence = z.enum(['instant', 'daily'], 'Choose when to be told');

export const saveSearchSchema = z.object({ name, cadence });
export const changeSearchSchema = z.object({ name: name.optional(), cadence: cadence.optional() });
