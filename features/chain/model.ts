/** What a row says while it waits because there is no chain. */
export const CHAIN_NOT_CONFIGURED = 'Chain not configured';

/** `property`: made by an administrator for a document; `completion`: made by the closing of a sale. */
export type TokenKind = 'property' | 'completion';

export const DEFAULT_TOKEN_NAME = 'Property NFT';
export const DEFAULT_TOKEN_DESCRIPTION = 'NFT representing property document ownership';
/** The longest name and description of a token, in characters. */
export const MAX_TOKEN_NAME = 80;
export const MAX_TOKEN_DESCRIPTION = 1000;
