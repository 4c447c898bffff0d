/** Why a user cannot turn to the seller of a listing, in the words that inquiries and tours share. */
export const sharedRefusals = {
  own: 'This is your own listing.',
  blocked: 'This person is not accepting messages from you.',
  read_only: 'Your seller account is suspended and read-only.',
} as const;
