/** The recipient of a mail. `name` is shown by mail clients; control characters in it become spaces. */
export type Recipient = { address: string; name?: string };

/**
 * A mail to one person. `idempotencyKey` (1–200 characters) identifies the mail, for instance by its outbox row: the same
 * key always gives the same Message-ID, so that a mail sent twice is recognized as one. `unsubscribeUrl` (http or https)
 * accepts a one-click unsubscribe POST (RFC 8058). `calendar` is an iCalendar file with that METHOD (RFC 6047).
 */
export type Mail = {
  idempotencyKey: string;
  to: Recipient;
  subject: string;
  text: string;
  html?: string;
  unsubscribeUrl?: string;
  calendar?: { method: 'REQUEST' | 'CANCEL'; file: string };
  /** shown as the sender instead of the name in `MAIL_FROM` */
  senderName?: string;
  /** where answers go instead of the sender's address */
  replyTo?: string;
};

/** The sender of our mails, from `MAIL_FROM`; what cannot be delivered comes back to `returnPath`, or to the address. */
export type Sender = { address: string; name?: string; returnPath?: string };

/** Sends mail. Every implementation throws `MailError` and nothing else. */
export interface Mailer {
  /**
   * Sends a mail. Resolves once the server has accepted it; `messageId` is the Message-ID header with its angle brackets.
   * May be repeated with the same key after a failure: at-least-once, one Message-ID.
   */
  send(mail: Mail): Promise<{ messageId: string }>;
  /** Resolves when mail can be sent; used at startup and by the administrator's diagnostics. */
  check(): Promise<void>;
  /** Closes connections. The mailer must not be used afterwards. */
  close(): Promise<void>;
}

/**
 * `invalid`: the mail is malformed or refers to files or URLs; `refused`: permanently rejected by the server; `auth`: our
 * credentials are wrong; `unavailable`: no response, or a temporary failure.
 */
type MailErrorCode = 'invalid' | 'refused' | 'auth' | 'unavailable';

/** What a mailer throws. `retryable` says whether sending the same mail later can succeed. */
export class MailError extends Error {
  override readonly name = 'MailError';
  readonly code: MailErrorCode;
  readonly retryable: boolean;

  constructor(code: MailErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.retryable = code === 'unavailable' || code === 'auth';
  }
}
