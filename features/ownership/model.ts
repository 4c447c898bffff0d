import type { StoredDocument } from '#features/documents/model.ts';
import type { PropertyStatus } from '#features/listings/model.ts';
import type { OwnershipStatus } from '#features/listings/ownership.ts';
import type { BoundedCount } from '#platform/counts.ts';

/** Why a proof no longer counts: another address or seller, a deleted listing, malware in the document. */
export type WithdrawnFor = 'address' | 'seller' | 'deleted' | 'malware';

/** The uploaded document of a proof. */
interface ProofDocument {
  id: string;
  name: string;
  scan: StoredDocument['scan'];
  bytes: number;
}

/** A proof of ownership; times are ISO, UTC. */
export interface Proof {
  id: string;
  status: OwnershipStatus;
  /** as in the deed; null once erased, like the parcel number */
  ownerName: string | null;
  parcelNumber: string | null;
  note: string;
  /** the listing's when it was uploaded; of a verified one the address that was verified */
  address: string;
  /** null once malware was found in it */
  document: ProofDocument | null;
  uploadedAt: string;
  decidedAt: string | null;
  /** why it was refused */
  reason: string | null;
  withdrawnFor: WithdrawnFor | null;
  endedAt: string | null;
  /** file and typed facts were erased */
  erased: boolean;
}

/** What the seller of a listing sees of its ownership. */
export interface OwnOwnership {
  listing: { id: string; address: string; town: string; status: PropertyStatus };
  /** the latest one of this seller */
  proof: Proof | null;
  /** listings go live only with a verified ownership */
  required: boolean;
}

const proofFields = ['document', 'ownerName', 'parcelNumber', 'note'] as const;
export type ProofField = (typeof proofFields)[number];
export type ProofErrors = Partial<Record<ProofField, string>>;

export type UploadProofResult =
  | { ok: true; proofId: string; held: boolean }
  | { ok: false; reason: 'invalid'; errors: ProofErrors }
  /** the ownership is verified already, or the property is sold */
  | { ok: false; reason: 'verified' | 'sold'; why: string };

/** The lists of the administrators: what waits, oldest first, and what was decided or withdrawn, latest first. */
export const proofTabs = ['waiting', 'decided'] as const;
export type ProofTab = (typeof proofTabs)[number];

/** A proof in one of the lists; `at` is when it was uploaded or decided, ISO, UTC. */
export interface ListedProof {
  id: string;
  address: string;
  sellerName: string;
  status: OwnershipStatus;
  at: string;
  /** its document waits for the virus scanner */
  held: boolean;
}

export interface ProofList {
  rows: ListedProof[];
  total: BoundedCount;
  page: number;
  pages: number;
}

/** What an administrator compares. */
export interface ProofSubject {
  proof: Proof;
  listing: { id: string; address: string; status: PropertyStatus; hasPublicPage: boolean };
  seller: { id: string; name: string; email: string };
  /** who decided; null for no one, and for a deleted account */
  decidedBy: string | null;
  /** what is compared now; a decision is about this and nothing later */
  version: string;
  /** why it cannot be decided any longer; null while it waits */
  outcome: string | null;
}

/** What the review of a listing shows of its ownership. */
export interface ListingOwnership {
  proof: Pick<Proof, 'id' | 'status' | 'ownerName' | 'parcelNumber' | 'uploadedAt' | 'decidedAt'> | null;
  required: boolean;
}

export const proofDecisions = ['verify', 'refuse'] as const;
export type ProofDecision = (typeof proofDecisions)[number];

export type DecideProofResult =
  | { ok: true }
  | { ok: false; reason: 'invalid'; errors: { reason: string } }
  /** it was decided or withdrawn, the listing was changed meanwhile, or the virus scanner has not released its document */
  | { ok: false; reason: 'not_waiting' | 'changed' | 'held'; why: string };
