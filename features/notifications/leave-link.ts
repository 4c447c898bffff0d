import { createHmac, timingSafeEqual } from 'node:crypto';
import { paths } from '#app/paths.ts';
import { isUuid } from '#features/accounts/rules.ts';
import type { Ctx } from '#platform/context.ts';
import type { Topic } from './model.ts';
import { topicColumn } from './rules.ts';

const sign = (secret: string, userId: string, topic: Topic): Buffer =>
  createHmac('sha256', secret).update(`unsubscribe:${userId}:${topic}`).digest();

/** The link under a mail by which its reader stops mails of its kind without signing in; it works for good. */
export function leaveLink(
  { config }: Pick<Ctx, 'config'>,
  userId: string,
  topic: Topic,
): { label: string; url: string } {
  const token = `${userId}.${topic}.${sign(config.secret, userId, topic).toString('base64url')}`;
  return { label: 'Unsubscribe', url: config.publicUrl + paths.unsubscribe({ token }) };
}

/** Whose mails about what a token stops; null for one that we did not sign. */
export function readLeaveToken(
  { config }: Pick<Ctx, 'config'>,
  token: string,
): { userId: string; topic: Topic } | null {
  const [userId = '', topic = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || !isUuid(userId) || !isTopic(topic)) return null;
  const given = Buffer.from(signature, 'base64url');
  const right = sign(config.secret, userId, topic);
  return given.length === right.length && timingSafeEqual(given, right) ? { userId, topic } : null;
}

const isTopic = (text: string): text is Topic => Object.hasOwn(topicColumn, text);
