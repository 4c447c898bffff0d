import PostalMime from 'postal-mime';
import { oneLine } from './address.ts';

/** A mail that was accepted from us and could not be delivered. */
export interface Bounce {
  /** the Message-ID of our mail, with its angle brackets */
  messageId: string;
  /** what the recipient's mail system said, on one line, at most 500 characters */
  reason: string;
}

const MAX_REASON = 500;
/** The Message-ID that every mail of ours has. */
const OURS = /^<[0-9a-f]{40}@[a-z0-9.-]+>$/;
/** Where the report holds our mail, whole or its headers alone. */
const ORIGINALS = ['message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers'];
const STATUS_PARTS = ['message/delivery-status', 'message/global-delivery-status'];

/**
 * Reads the report of a mail system about a mail of ours (RFC 3464). Null for every other mail, such as an automatic answer, and for a
 * report that delivery is delayed or was successful.
 * @throws Error for what is nested too deep to be read
 */
export async function parseBounce(mail: Uint8Array): Promise<Bounce | null> {
  const { attachments } = await PostalMime.parse(mail, {
    attachmentEncoding: 'utf8',
    forceRfc822Attachments: true,
  });
  const part = (types: readonly string[]) => {
    const content = attachments.find(({ mimeType }) => types.includes(mimeType))?.content;
    return typeof content === 'string' ? content : '';
  };
  // A line that begins with white space goes on with the one before.
  const status = part(STATUS_PARTS).replace(/\r?\n[ \t]+/g, ' ');
  // Each of our mails has one recipient.
  const field = (name: string) => new RegExp(`^${name}:(.*)$`, 'im').exec(status)?.[1]?.trim() ?? '';
  if (field('Action').toLowerCase() !== 'failed') return null;
  const { messageId = '' } = await PostalMime.parse(part(ORIGINALS));
  if (!OURS.test(messageId)) return null;
  const diagnostic = oneLine(field('Diagnostic-Code').replace(/^smtp;/i, ''));
  const reason = [...(diagnostic || field('Status'))].slice(0, MAX_REASON).join('');
  return { messageId, reason };
}
