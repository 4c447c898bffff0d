/** What was done, in words, by the action of an audit row; what is missing here is made of the action itself. */
const actionWords: Readonly<Record<string, string>> = {
  'account.close': 'Closed the account',
  'account.confirm': 'Confirmed the email address',
  'account.confirm_again': 'Asked for another confirmation email',
  'account.open': 'Opened the account',
  'account.open_again': 'Tried to sign up with an address in use',
  'account.rename': 'Changed the name',
  'admin.create': 'Made an administrator',
  'admin.remove': 'Removed the administrator',
  'break.ask_write_off': 'Asked for a write-off',
  'break.decide_write_off': 'Decided on a write-off',
  'break.open': 'Found a difference in the books',
  'break.refund': 'Refunded money that had no sale',
  'break.resolve': 'Closed a difference in the books',
  'dispute.answer': 'Answered the dispute',
  'dispute.concede': 'Accepted the dispute',
  'email.change': 'Changed the email address',
  'email.request_change': 'Asked to change the email address',
  'factor.add': 'Added a second sign-in factor',
  'factor.remove': 'Removed a second sign-in factor',
  'factor.rename': 'Renamed a passkey',
  'factor.renew_codes': 'Made new recovery codes',
  'factor.reset': 'Removed all second sign-in factors',
  'history.export': 'Exported the history',
  'inquiry.append': 'Wrote a message',
  'inquiry.open': 'Read the conversation',
  'inquiry.report': 'Reported the conversation',
  'inquiry.send': 'Sent an inquiry',
  'job.drop': 'Dropped the job',
  'job.retry': 'Tried the job again',
  'listing.approve': 'Approved the listing',
  'listing.begin_escrow': 'Took the listing into escrow',
  'listing.delete': 'Deleted the listing',
  'listing.edit': 'Edited the listing',
  'listing.import': 'Imported the listing',
  'listing.relist': 'Listed the property again',
  'listing.release_escrow': 'Returned the listing from escrow',
  'listing.resubmit': 'Submitted the listing again',
  'listing.sell': 'Marked the listing as sold',
  'listing.submit': 'Submitted the listing',
  'listing.withdraw': 'Withdrew the listing',
  'listings.import': 'Imported listings from a file',
  'backup.mark': 'Recorded a backup',
  'mail.drop': 'Dropped the email',
  'mail.retry': 'Sent the email again',
  'message.drop': 'Dropped the provider message',
  'message.replay': 'Processed the provider message again',
  'password.change': 'Changed the password',
  'password.must_change': 'Was asked to change the password',
  'password.reset': 'Set a new password',
  'password.reset_asked': 'Asked for a password reset',
  'password.reset_sent': 'Mailed a password reset link',
  'photo.add': 'Added a photo',
  'photo.arrange': 'Changed the order of the photos',
  'photo.delete': 'Deleted a photo',
  'photo.describe': 'Described a photo',
  'photo.main': 'Chose the main photo',
  'preferences.unsubscribe': 'Unsubscribed from emails',
  'sale.accept_mismatch': 'Accepted a different amount',
  'sale.agree_cancellation': 'Agreed to the cancellation',
  'sale.auto_release': 'Released the escrow after the deadline',
  'sale.begin': 'Started the purchase',
  'sale.cancel_checkout': 'Cancelled the checkout',
  'sale.cancel_sale': 'Cancelled the sale',
  'sale.cancel_undelivered': 'Cancelled the sale without documents',
  'sale.confirm_closing': 'Confirmed the closing',
  'sale.confirm_payment': 'Received the payment',
  'sale.confirm_refused_payment': 'Received a payment that is refunded',
  'sale.decline_cancellation': 'Declined the cancellation',
  'sale.deliver_documents': 'Delivered the documents',
  'sale.dismiss_mismatch': 'Dismissed a different amount',
  'sale.expire_checkout': 'Let the checkout expire',
  'sale.fail_payment': 'Recorded a failed payment',
  'sale.fail_refund': 'Recorded a failed refund',
  'sale.freeze_sale': 'Froze the sale',
  'sale.hold_mismatch': 'Held a payment of a different amount',
  'sale.lose_dispute': 'Lost the dispute',
  'sale.miss_documents_deadline': 'Recorded that the documents are overdue',
  'sale.open_dispute': 'Recorded a dispute',
  'sale.receive_part': 'Received part of the payment',
  'sale.recognise_refund': 'Recorded a refund made at the provider',
  'sale.release': 'Released the escrow',
  'sale.report_problem': 'Reported a problem',
  'sale.request_cancellation': 'Asked to cancel the sale',
  'sale.request_refund': 'Started a refund',
  'sale.resolve_problem': 'Resolved the problem',
  'sale.return_incomplete': 'Refunded an incomplete payment',
  'sale.return_mismatch': 'Refunded a payment of a different amount',
  'sale.return_refund': 'Recorded a refund that came back',
  'sale.return_surplus': 'Refunded what was paid too much',
  'sale.reverse_dispute': 'Recorded that a dispute was reversed',
  'sale.settle_partial_refund': 'Finished a partial refund',
  'sale.settle_refund': 'Finished the refund',
  'sale.submit_payment': 'Submitted the payment',
  'sale.unfreeze_sale': 'Unfroze the sale',
  'sale.win_dispute': 'Won the dispute',
  'sale.withdraw_problem': 'Withdrew the problem',
  'seller.archive': 'Archived the seller',
  'seller.confirm_paypal': 'Confirmed the PayPal address',
  'seller.create_link': 'Made a registration link',
  'seller.delete': 'Deleted the seller',
  'seller.disconnect_stripe': 'Disconnected Stripe',
  'seller.invite': 'Invited the seller',
  'seller.invite_again': 'Invited the seller again',
  'seller.payout': 'Changed the payout settings',
  'seller.reactivate': 'Reactivated the seller',
  'seller.register': 'Registered as a seller',
  'seller.request_link': 'Asked for a registration link',
  'seller.set_commission': 'Changed the commission rate',
  'seller.set_phone': 'Changed the phone number',
  'seller.suspend': 'Suspended the seller',
  'session.end': 'Signed out',
  'session.prove': 'Proved who they are again',
  'session.revoke': 'Ended a session',
  'session.revoke_others': 'Ended all other sessions',
  'session.start': 'Signed in',
  'setting.change': 'Changed the setting',
  'state.baseline': 'Recorded the state as found',
  'task.assign': 'Assigned the task',
  'task.note': 'Added a note to the task',
  'task.resolve': 'Closed the task',
  'task.take': 'Took the task',
  'task.snooze': 'Snoozed the task',
  'task.wake': 'Ended the snooze of the task',
  'treasury.record': 'Recorded a transfer of the treasury',
  'user.block': 'Blocked a person',
  'user.unblock': 'Unblocked a person',
};

/** What a row is about, in words; the keys are the records that the history can be searched by. */
export const recordWords: Readonly<Record<string, string>> = {
  property: 'Property',
  property_draft: 'Listing draft',
  property_sale: 'Sale',
  property_inquiry: 'Conversation',
  agent: 'Seller',
  user: 'Account',
  session: 'Session',
  admin_task: 'Task',
  break: 'Difference in the books',
  dispute: 'Dispute',
  provider_transaction: 'Provider transaction',
  provider_event: 'Provider message',
  job: 'Job',
  mail: 'Email',
  audit_log: 'History',
  property_type: 'Property type',
  homepage_content: 'Homepage',
  service_fee: 'Service fee',
  commission_setting: 'Commission',
  platform_setting: 'Setting',
};

/** Names of fields that their key alone would not say well. */
const fieldWords: Readonly<Record<string, string>> = {
  adminPercentage: "Platform's share",
  amountCents: 'Amount',
  appliesTo: 'Applies to',
  approvedBy: 'Approved by',
  archived: 'Archived',
  by: 'By',
  commissionRate: 'Commission rate',
  escrow: 'Escrow',
  fixedCents: 'Amount',
  holdUntil: 'Payouts held until',
  payment: 'Payment',
  payout: 'Payout',
  payoutMethod: 'Payout method',
  payoutStatus: 'Payout setup',
  paypalConfirmed: 'PayPal address confirmed',
  paypalEmail: 'PayPal address',
  priceCents: 'Price',
  registered: 'Registered',
  sale: 'Sale',
  saleId: 'Sale',
  squareFeet: 'Square feet',
  stripeAccount: 'Stripe account',
  until: 'Until',
  yearBuilt: 'Year built',
};

/** A key such as `review_note`, `reviewNote` or `priceCents` as 'Review note', 'Price'. */
export function asWords(key: string): string {
  const words = key
    .replace(/Cents$|_cents$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_.\-:]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? key : words.charAt(0).toUpperCase() + words.slice(1);
}

/** What an action means, as 'Approved the listing'; an unknown `noun.verb` as 'Noun: verb'. */
export function actionInWords(action: string): string {
  const known = Object.hasOwn(actionWords, action) ? actionWords[action] : undefined;
  if (known !== undefined) return known;
  const [noun = '', ...verb] = action.split('.');
  return verb.length === 0 ? asWords(noun) : `${asWords(noun)}: ${asWords(verb.join(' ')).toLowerCase()}`;
}

/** The actions that have words, for choosing one. */
export const knownActions: readonly string[] = Object.keys(actionWords);

export const recordInWords = (entity: string): string =>
  (Object.hasOwn(recordWords, entity) ? recordWords[entity] : undefined) ?? asWords(entity);

export const fieldInWords = (field: string): string =>
  (Object.hasOwn(fieldWords, field) ? fieldWords[field] : undefined) ?? asWords(field);

/** Who did it when it was no account: a visitor, or a part of the system. */
export function roleInWords(role: string): string {
  if (role === 'visitor') return 'A visitor';
  if (role === 'system:migration') return 'An update of the system';
  if (role.startsWith('system:')) return 'The system';
  return { admin: 'Administrator', agent: 'Seller', buyer: 'Buyer' }[role] ?? asWords(role);
}
