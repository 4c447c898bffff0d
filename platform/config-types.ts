import { z } from 'zod';

/** An address of one of these protocols, such as `https:`. */
export const url = (protocols: string[], expected: string) =>
  z.string().refine((value) => {
    try {
      return protocols.includes(new URL(value).protocol);
    } catch {
      return false;
    }
  }, expected);

/** What is switched on or off. */
export const flag = z.enum(['on', 'off'], 'expected on or off');
