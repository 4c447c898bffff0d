import { z } from 'zod';

/** An id or a type as providers write them; anything else is kept out of keys and indexes. */
export const Name = z.string().regex(/^[\x21-\x7e]{1,500}$/);

/** The JSON of a message's raw body, or null when it is none. */
export function jsonBody(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
  } catch {
    return null;
  }
}
