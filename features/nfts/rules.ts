import { MAX_TOKEN_DESCRIPTION, MAX_TOKEN_NAME } from '#features/chain/model.ts';
import type { SaleState } from '#features/sales/model.ts';
import { hasRole } from '#platform/access.ts';
import { formatCount } from '#platform/format-count.ts';

/** Buyers see the tokens of their purchases; whose a purchase is, is decided with the sale. */
export const maySeeCompletionTokens = hasRole('buyer');

/** Buyers name wallets for the tokens of their purchases; whose a purchase is, is decided with the sale. */
export const mayNameWallets = hasRole('buyer');

/** Before the closing, which asks for the token, and not when the sale has ended without one. */
export const canNameWallet = ({ escrow }: Pick<SaleState, 'escrow'>): boolean =>
  escrow === 'pending' || escrow === 'in_escrow';

/** Administrators make tokens of a property's documents. */
export const mayCreateNfts = hasRole('admin');

/** What the form that makes a token says. */
export const nftMessages = {
  noDocument: 'Please select a document first',
  noRecipient: 'Please enter a recipient address',
  notAnAddress: 'Please enter a valid wallet address',
  failed: 'Failed to create NFT',
  held: 'This document waits for the virus scanner, so no token can be made of it yet.',
  test: 'This is a test document, so no token is made of it.',
  erased: 'The file of this document was deleted, so no token is made of it.',
  revoked: 'This document was revoked, so no token is made of it.',
  gone: 'This document no longer exists.',
  exists: 'This document already has a property NFT, for another recipient.',
  nameless: `Please give a name of at most ${MAX_TOKEN_NAME} characters.`,
  descriptionTooLong: `The description can have at most ${formatCount(MAX_TOKEN_DESCRIPTION)} characters.`,
  nameService: 'Names cannot be looked up right now. Please enter the address.',
  /** @param suffix what names end with */
  unknownName: (suffix: string) => `No wallet has this name. Names end with ${suffix}.`,
  notTitle:
    'The token evidences a document. It is not legal title to the property, and giving it to someone transfers nothing else.',
} as const;
