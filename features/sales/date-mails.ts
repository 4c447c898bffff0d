import type { DocumentsReminder } from './documents.ts';
import type { PartyMails } from './mail-template.ts';

const reminder = (due: string): PartyMails => ({
  buyer: ({ address, documentsDue }) => ({
    subject: `The documents for ${address} are due ${due}`,
    text: `The seller has to deliver the closing documents by ${documentsDue}. You do not need to do anything. If nothing is delivered by then, you can end the sale alone and get the whole payment back.`,
  }),
  seller: ({ address, documentsDue }) => ({
    subject: `The documents for ${address} are due ${due}`,
    text: `Please deliver the closing documents and mark them as delivered by ${documentsDue}. After that, the buyer can end the sale and get the whole payment back.`,
  }),
});
/** The mails that the documents are due soon. */
export const documentsReminders: Record<DocumentsReminder, PartyMails> = {
  soon: reminder('soon'),
  last_day: reminder('within a day'),
};

/** The mails that the virus scanner has released the first of the delivered documents, so that the automatic release is later. */
export const releaseRestarted: PartyMails = {
  buyer: ({ address, releaseDue }) => ({
    subject: `The documents for ${address} can be downloaded`,
    text: `The virus scanner has checked the closing documents, so you can download them now. Please check them and confirm the closing, or report a problem. Your time for that begins only now: if you do neither, escrow is released automatically on ${releaseDue} at the earliest.`,
  }),
  seller: ({ address, releaseDue }) => ({
    subject: `The documents for ${address} can be downloaded`,
    text: `The virus scanner has checked the closing documents, so the buyer can download them now, and the buyer's time to check them begins only now. Escrow is released automatically on ${releaseDue} at the earliest, unless the buyer confirms the closing sooner or reports a problem.`,
  }),
};
