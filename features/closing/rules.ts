import { nobody } from '#platform/access.ts';

/** Closing documents are made by jobs alone. */
export const mayMakeDocuments = nobody;

/** The number of a sale's settlement statement, after that of its receipt: 'ATP-000042-S'. */
export const settlementNumber = (receipt: string): string => `${receipt}-S`;
