import { z } from 'zod';

/** An id or type as providers send them; anything else must not get into keys and indexes. */
export const Identifier = z.string().regex(/^[\x21-\x7e]{1,500}$/);

/** Parses a raw body as JSON; null when it is not JSON. */
export function parseJsonBody(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
  } catch {
    return null;
  }
}
