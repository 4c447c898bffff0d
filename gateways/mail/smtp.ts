import { createTransport, type NodemailerError } from 'nodemailer';
import { composeMessage, NO_OUTSIDE_CONTENT } from './compose.ts';
import { MailError, type Mailer, type Sender } from './port.ts';

/** `url`: `smtp://[user:password@]host[:port]` or `smtps://…`; times in milliseconds. */
type SmtpOptions = { url: string; sender: Sender; now?: () => Date; timeoutMs?: number };

/** Sends mail through an SMTP server, over at most two pooled connections. */
export function createSmtpMailer({
  url,
  sender,
  now = () => new Date(),
  timeoutMs = 20_000,
}: SmtpOptions): Mailer {
  const transport = createTransport({
    url: checkedSmtpUrl(url),
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    ...NO_OUTSIDE_CONTENT,
  });
  return {
    async send(mail) {
      const message = composeMessage(mail, sender, now());
      try {
        await transport.sendMail(message);
      } catch (error) {
        throw asMailError(error);
      }
      return { messageId: message.messageId };
    },
    async check() {
      try {
        await transport.verify();
      } catch (error) {
        throw asMailError(error);
      }
    },
    async close() {
      transport.close();
    },
  };
}

/** @throws MailError `invalid`, naming the variable; the URL is not quoted because it contains a password */
function checkedSmtpUrl(url: string): string {
  const protocol = URL.canParse(url) ? new URL(url) : null;
  if (protocol === null || !['smtp:', 'smtps:'].includes(protocol.protocol) || protocol.hostname === '')
    throw new MailError(
      'invalid',
      'SMTP_URL must look like smtp://user:password@mail.example.com:587 or smtps://…',
    );
  return url;
}

function asMailError(error: unknown): MailError {
  const { code, permanent, message } = error as NodemailerError;
  const mailError = (errorCode: MailError['code']) => new MailError(errorCode, `SMTP: ${message}`, error);
  if (code === 'EAUTH' || code === 'ENOAUTH' || code === 'EOAUTH2') return mailError('auth');
  if (code === 'EFILEACCESS' || code === 'EURLACCESS') return mailError('invalid');
  return mailError(permanent === true ? 'refused' : 'unavailable');
}
