import { parseSender } from './address.ts';
import { createOutboxFolder } from './outbox-folder.ts';
import type { Mailer } from './port.ts';
import { createSmtpMailer } from './smtp.ts';

/** `smtpUrl` from SMTP_URL, `mailFrom` from MAIL_FROM, `folder` where mails are written without an SMTP server. */
export type MailConfig = { smtpUrl?: string; mailFrom: string; folder: string; now?: () => Date };

/**
 * The mailer that the configuration asks for.
 *
 * @throws MailError `invalid` when SMTP_URL or MAIL_FROM is not what it should be
 */
export function openMailer({ smtpUrl, mailFrom, folder, now }: MailConfig): Mailer {
  const sender = parseSender(mailFrom);
  return smtpUrl === undefined
    ? createOutboxFolder({ folder, sender, now })
    : createSmtpMailer({ url: smtpUrl, sender, now });
}
