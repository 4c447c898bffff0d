/** One person a mail goes to. `name` is shown by mail programs; control characters in it become spaces. */
export type Recipient = { address: string; name?: string };

/**
 * One mail to one person. `idempotencyKey` names the reason of the mail (for instance the outbox row), 1–200
 * characters: the same key always gives the same Message-ID, so that a mail sent twice is recognised as one.
 * `unsubscribeUrl` (http or https) takes a POST that ends mails of this kind without a further question (RFC 8058).
 */
export type Mail = {
  idempotencyKey: string;
  to: Recipient;
  subject: string;
  text: string;
  html?: string;
  unsubscribeUrl?: string;
};

/** Who our mails come from, read from `MAIL_FROM`. */
export type Sender = { address: string; name?: string };

/** Sends mail. Every implementation throws `MailError` and nothing else. */
export interface Mailer {
  /**
   * Hands one mail over. Resolves once the other side has taken it; `messageId` is the Message-ID header with
   * its angle brackets. May be repeated with the same key after a failure: at-least-once, one Message-ID.
   */
  send(mail: Mail): Promise<{ messageId: string }>;
  /** Resolves when mail could be sent now; used at start and by the administrator's diagnostics. */
  check(): Promise<void>;
  /** Gives connections back. The mailer is not used afterwards. */
  close(): Promise<void>;
}

/**
 * `invalid`: the mail itself is wrong, or reaches for files or addresses of the network; `refused`: the other side
 * said no for good; `auth`: our credentials are wrong; `unavailable`: nobody answered, or asked us to come back.
 */
export type MailErrorCode = 'invalid' | 'refused' | 'auth' | 'unavailable';

/** What a mailer throws. `retryable` tells the outbox whether trying the same mail later can help. */
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
