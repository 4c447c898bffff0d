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
  const fields = fieldsOf(part(STATUS_PARTS));
  if (fields.get('action')?.toLowerCase() !== 'failed') return null;
  const { messageId = '' } = await PostalMime.parse(part(ORIGINALS));
  if (!OURS.test(messageId)) return null;
  const diagnostic = oneLine((fields.get('diagnostic-code') ?? '').replace(/^smtp;/i, ''));
  const reason = [...(diagnostic || oneLine(fields.get('status') ?? ''))].slice(0, MAX_REASON).join('');
  return { messageId, reason };
}

/** The fields of a report by their names in lower case: each of our mails has one recipient, so the first of a name is the one. */
function fieldsOf(status: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  // A line that begins with white space goes on with the one before.
  for (const line of status.replace(/\r?\n[ \t]+/g, ' ').split('\n')) {
    const [name = '', ...value] = line.split(':');
    const key = name.trim().toLowerCase();
    if (!fields.has(key)) fields.set(key, value.join(':').trim());
  }
  return fields;
}
