import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '#platform/config.ts';
import { isUuid } from '#platform/uuid.ts';
import type { Topic } from './model.ts';

const topics = [
  'messages',
  'property_updates',
  'saved_searches',
  'weekly_report',
] as const satisfies readonly Topic[];

const sign = (secret: string, userId: string, topic: Topic): Buffer =>
  createHmac('sha256', secret).update(`unsubscribe:${userId}:${topic}`).digest();

/** The token of an unsubscribe link, which works without signing in and never expires. */
export const unsubscribeToken = ({ secret }: Pick<Config, 'secret'>, userId: string, topic: Topic): string =>
  `${userId}.${topic}.${sign(secret, userId, topic).toString('base64url')}`;

/** The user and topic of an unsubscribe token; null if we did not sign it. */
export function readUnsubscribeToken(
  { secret }: Pick<Config, 'secret'>,
  token: string,
): { userId: string; topic: Topic } | null {
  const [userId = '', name = '', signature = '', ...rest] = token.split('.');
  const topic = topics.find((known) => known === name);
  if (rest.length > 0 || !isUuid(userId) || topic === undefined) return null;
  const given = Buffer.from(signature, 'base64url');
  const right = sign(secret, userId, topic);
  return given.length === right.length && timingSafeEqual(given, right) ? { userId, topic } : null;
}
