import { createHash } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import { checkedAddress, oneLine } from './address.ts';
import { type Mail, MailError, type Sender } from './port.ts';

/** Keeps nodemailer from reading files or fetching URLs that a body refers to. */
export const NO_OUTSIDE_CONTENT = { disableFileAccess: true, disableUrlAccess: true };

/** The part of the Message-ID before the `@`: 40 hexadecimal digits derived from the key alone. */
export function messageToken(idempotencyKey: string): string {
  return createHash('sha256').update(`mail:${idempotencyKey}`).digest('hex').slice(0, 40);
}

/**
 * The validated mail for nodemailer: addresses as objects and never as text, subject and names on one line, Message-ID
 * derived from the key and the sender's domain.
 *
 * @throws MailError `invalid`
 */
export function composeMessage(
  mail: Mail,
  sender: Sender,
  sentAt: Date,
): SendMailOptions & { messageId: string } {
  const key = mail.idempotencyKey;
  if (key.length < 1 || key.length > 200) throw new MailError('invalid', 'The key has 1 to 200 characters');
  if (typeof mail.text !== 'string' || !['string', 'undefined'].includes(typeof mail.html))
    throw new MailError('invalid', 'The bodies of a mail are plain strings');
  const subject = oneLine(mail.subject);
  if (subject === '') throw new MailError('invalid', 'A mail needs a subject');
  const address = checkedAddress(mail.to.address);
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  return {
    from: { name: oneLine(mail.senderName ?? sender.name ?? ''), address: sender.address },
    ...(mail.replyTo !== undefined && { replyTo: { name: '', address: checkedAddress(mail.replyTo) } }),
    to: { name: oneLine(mail.to.name ?? ''), address },
    envelope: { from: sender.returnPath ?? sender.address, to: [address] },
    subject,
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    ...(mail.calendar && { icalEvent: calendarPart(mail.calendar) }),
    messageId: `<${messageToken(key)}@${domain}>`,
    date: sentAt,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(mail.unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${checkedUrl(mail.unsubscribeUrl)}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/** Clients act on the method of the part, so it has to be that of the file. */
function calendarPart({ method, file }: NonNullable<Mail['calendar']>) {
  if (!file.startsWith('BEGIN:VCALENDAR\r\n') || !file.includes(`\r\nMETHOD:${method}\r\n`))
    throw new MailError('invalid', `A calendar file for ${method} must have that method`);
  return { method, content: file, filename: 'tour.ics' };
}

function checkedUrl(url: string): string {
  if (!/^https?:\/\/[^\s<>]+$/.test(url) || !URL.canParse(url))
    throw new MailError('invalid', 'The address to unsubscribe at must be an http or https address');
  return url;
}
