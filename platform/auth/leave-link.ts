import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';

const topics = ['messages', 'property_updates', 'saved_searches'] as const;
/** What a mail can be about that somebody may not want. */
export type LeaveTopic = (typeof topics)[number];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const sign = (secret: string, userId: string, topic: LeaveTopic): Buffer =>
  createHmac('sha256', secret).update(`unsubscribe:${userId}:${topic}`).digest();

/** What stands in the link under a mail, by which its reader stops mails of its kind without signing in; it works for good. */
export const leaveToken = ({ secret }: Pick<Config, 'secret'>, userId: string, topic: LeaveTopic): string =>
  `${userId}.${topic}.${sign(secret, userId, topic).toString('base64url')}`;

/** Whose mails about what a token stops; null for one that we did not sign. */
export function readLeaveToken(
  { secret }: Pick<Config, 'secret'>,
  token: string,
): { userId: string; topic: LeaveTopic } | null {
  const [userId = '', name = '', signature = '', ...rest] = token.split('.');
  const topic = topics.find((known) => known === name);
  if (rest.length > 0 || !UUID.test(userId) || topic === undefined) return null;
  const given = Buffer.from(signature, 'base64url');
  const right = sign(secret, userId, topic);
  return given.length === right.length && timingSafeEqual(given, right) ? { userId, topic } : null;
}
