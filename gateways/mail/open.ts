import { checkedAddress, parseSender } from './address.ts';
import { createOutboxFolderMailer } from './outbox-folder.ts';
import type { Mailer } from './port.ts';
import { createSmtpMailer } from './smtp.ts';

/** `smtpUrl` comes from SMTP_URL, `mailFrom` from MAIL_FROM, `returnPath` from MAIL_RETURN_PATH; without SMTP_URL mails are written to `folder`. */
type MailConfig = {
  smtpUrl?: string;
  mailFrom: string;
  returnPath?: string;
  folder: string;
  now?: () => Date;
};

/**
 * The configured mailer.
 *
 * @throws MailError `invalid` when SMTP_URL or MAIL_FROM is malformed
 */
export function openMailer({ smtpUrl, mailFrom, returnPath, folder, now }: MailConfig): Mailer {
  const sender = {
    ...parseSender(mailFrom),
    ...(returnPath !== undefined && { returnPath: checkedAddress(returnPath) }),
  };
  return smtpUrl === undefined
    ? createOutboxFolderMailer({ folder, sender, now })
    : createSmtpMailer({ url: smtpUrl, sender, now });
}
