import { domainToASCII } from 'node:url';
import { MailError, type Sender } from './port.ts';

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The address with its domain in lower-case ASCII (punycode where needed). Rejects everything but one plain
 * `local@domain`: line breaks, lists, groups, quoted and commented forms, which mail libraries could read as more than
 * one recipient (header injection).
 *
 * @throws MailError `invalid`
 */
export function checkedAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const domain = /[\s\p{C}%]/u.test(address.slice(at + 1)) ? '' : domainToASCII(address.slice(at + 1));
  const fits = at > 0 && local.length <= 64 && LOCAL.test(local) && local.length + domain.length < 254;
  if (!fits || domain === '' || !domain.split('.').every((label) => LABEL.test(label)))
    throw new MailError('invalid', `Not an e-mail address: ${JSON.stringify(address.slice(0, 100))}`);
  return `${local}@${domain}`;
}

/** Text for a single header line: control characters and runs of white space become one space. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/**
 * Parses `MAIL_FROM`: `no-reply@example.com` or `Acre Trading Post <no-reply@example.com>`.
 *
 * @throws MailError `invalid`, naming the variable and what is expected
 */
export function parseSender(mailFrom: string): Sender {
  const named = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(mailFrom);
  try {
    if (named?.[2] === undefined) return { address: checkedAddress(mailFrom.trim()) };
    const name = oneLine(named[1] ?? '');
    return { address: checkedAddress(named[2]), ...(name === '' ? {} : { name }) };
  } catch (cause) {
    throw new MailError(
      'invalid',
      `MAIL_FROM must look like "Name <address@example.com>" or "address@example.com", not ${JSON.stringify(mailFrom)}`,
      cause,
    );
  }
}
