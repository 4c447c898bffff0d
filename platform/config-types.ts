import { z } from 'zod';
import { parseServers } from './db/servers.ts';

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

function isDatabaseUrl(value: string): boolean {
  try {
    return parseServers(value).addresses.length > 0;
  } catch {
    return false;
  }
}

/** An address of PostgreSQL, also with several hosts. */
export const databaseUrl = z
  .string()
  .refine(isDatabaseUrl, 'expected postgres://user:password@host/database');
