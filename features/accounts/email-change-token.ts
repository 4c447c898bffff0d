import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '#platform/config.ts';
import { DAY } from '#platform/durations.ts';
import { isUuid } from '#platform/uuid.ts';

type Secret = Pick<Config, 'secret'>;

/** An account as it is when the change is asked for; the token dies with its address and its password. */
interface Account {
  id: string;
  email: string;
  /** the stored hash of its password */
  password: string | null;
}

/** How long the link that confirms a new address works. */
export const EMAIL_CHANGE_LASTS_MS = DAY;

const sign = ({ secret }: Secret, { id, email, password }: Account, to: string, until: number): Buffer =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['email-change', id, email, password, to, until]))
    .digest();

/** The token of the link that is mailed to an account's new address. */
export function emailChangeToken(config: Secret, account: Account, to: string, now: Date): string {
  const until = now.getTime() + EMAIL_CHANGE_LASTS_MS;
  const content = Buffer.from(JSON.stringify({ id: account.id, to, until })).toString('base64url');
  return `${content}.${sign(config, account, to, until).toString('base64url')}`;
}

/** What a token claims; `isEmailChange` says whether it is true. */
interface EmailChange {
  userId: string;
  /** the new address */
  to: string;
  /** when the token expires, in milliseconds since 1970 */
  until: number;
  signature: string;
}

/** The claims of a token, null for anything else. */
export function readEmailChange(token: string): EmailChange | null {
  const [content = '', signature = '', ...rest] = token.split('.');
  const claims = parsed(Buffer.from(content, 'base64url').toString());
  if (rest.length > 0 || typeof claims !== 'object' || claims === null) return null;
  const { id, to, until } = claims as Partial<Record<string, unknown>>;
  if (typeof id !== 'string' || !isUuid(id) || typeof to !== 'string' || typeof until !== 'number')
    return null;
  return { userId: id, to, until, signature };
}

/** Whether we mailed these claims for the account as it is now, and they have not expired. */
export function isEmailChange(config: Secret, account: Account, claims: EmailChange, now: Date): boolean {
  const right = sign(config, account, claims.to, claims.until);
  const given = Buffer.from(claims.signature, 'base64url');
  return (
    now.getTime() < claims.until &&
    claims.userId === account.id &&
    given.length === right.length &&
    timingSafeEqual(given, right)
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
