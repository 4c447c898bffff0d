/** Longest message of an inquiry or a reply, in characters (B-050). */
export const MESSAGE_LIMIT = 4000;

export const INQUIRY_SENT = { title: 'Inquiry Sent', text: 'The seller will get back to you soon.' } as const;
export const SEND_FAILED = 'Failed to send message. Please try again.';

/** Why a listing takes no inquiry from this person. */
export type InquiryRefusal = 'own' | 'unavailable' | 'suspended' | 'read_only';

export type InquiryResult =
  | { ok: true; inquiryId: string }
  | { ok: false; reason: InquiryRefusal | 'empty' | 'too_long' };

/** What the property page answers to its inquiry form; a refusal carries the text beside the field and what was typed. */
export type InquiryAnswer = { ok: true } | { ok: false; text: string; message: string };
