interface MailText {
  subject: string;
  text: string;
}
export interface MailFacts {
  address: string;
  amount: string;
  /** the note of the event; empty without one */
  reason: string;
  /** when the documents are due, in words */
  documentsDue: string;
  /** whether that date has passed */
  documentsLate: boolean;
  /** when escrow is released automatically, in words */
  releaseDue: string;
  /** what is missing of a payment in parts, and by when it is due, in words */
  missing: string;
  restDue: string;
  /** whether that date has passed */
  restLate: boolean;
  /** whether the sale is still frozen, and whether its money is still in escrow */
  isFrozen: boolean;
  isInEscrow: boolean;
  /** how the last refund that was carried out was sent, and how all of them were, in words */
  sentBy: string;
  allSentBy: string;
  /** whether the sale ended with the event */
  hasEnded: boolean;
}
export type MailTemplate = (subject: MailFacts) => MailText;

/** The mails about an event; null where a party is told nothing. */
export interface PartyMails {
  buyer: MailTemplate | null;
  seller: MailTemplate | null;
}
