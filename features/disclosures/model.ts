import type { SaleDocument } from '#features/documents/model.ts';
import type { PropertyStatus } from '#features/listings/model.ts';

/** A field of the form. */
export type DisclosureField = 'document' | 'name';

type DisclosureErrors = Partial<Record<DisclosureField, string>>;

export type UploadDisclosureResult =
  | { ok: true; name: string; version: number; held: boolean }
  | { ok: false; reason: 'invalid'; errors: DisclosureErrors }
  /** with the words for it */
  | { ok: false; reason: 'sold'; why: string };

/** What a seller has disclosed about one of their listings, newest first. */
export interface OwnDisclosures {
  listing: { id: string; address: string; town: string; status: PropertyStatus };
  documents: SaleDocument[];
}
