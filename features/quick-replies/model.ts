/** Most quick replies of one seller. */
export const MAX_QUICK_REPLIES = 30;
/** Longest name of a quick reply, in characters. */
export const MAX_REPLY_NAME = 60;
/** Longest text of a quick reply, in characters. */
export const MAX_REPLY_TEXT = 2000;

/** A text that a seller writes once and puts into answers. */
export interface QuickReply {
  id: string;
  name: string;
  /** `{buyer}` and `{property}` stand for the buyer's name and the property's address */
  text: string;
  /** grows with every change */
  version: number;
}

type QuickReplyErrors = Partial<Record<'name' | 'text', string>>;

export type SaveReplyResult =
  | { ok: true }
  | { ok: false; reason: 'invalid'; errors: QuickReplyErrors }
  | { ok: false; reason: 'too_many' }
  /** it was deleted elsewhere, or was never the seller's */
  | { ok: false; reason: 'gone' }
  /** it was changed elsewhere since the form was shown; nothing was changed */
  | { ok: false; reason: 'newer'; current: QuickReply };

/** Why a quick reply was not saved, besides what is said at the fields. */
export const saveRefusals: Record<
  Exclude<Extract<SaveReplyResult, { ok: false }>['reason'], 'invalid'>,
  string
> = {
  too_many: `You can have at most ${MAX_QUICK_REPLIES} quick replies. Please delete some.`,
  gone: 'This quick reply was deleted elsewhere.',
  newer: 'This quick reply was changed elsewhere. Save again to replace it with yours.',
};
