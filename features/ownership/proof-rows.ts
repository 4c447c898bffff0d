import { sql } from 'kysely';
import type { StoredDocument } from '#features/documents/model.ts';
import type { OwnershipStatus } from '#features/listings/ownership.ts';
import type { Proof, WithdrawnFor } from './model.ts';

/** The columns of a proof `o` and its document `d` (`documentJoin`). */
export const proofColumns = sql`o.id, o.status, o.owner_name, o.parcel_number, o.note, o.address as proof_address, o.document_id,
  o.created_at, o.decided_at, o.reason, o.withdrawn_for, o.ended_at, o.erased_at, d.document_name, d.scan, d.byte_size`;
export const documentJoin = sql`left join document_registry d on d.id = o.document_id`;

export interface ProofRow {
  id: string;
  status: OwnershipStatus;
  owner_name: string | null;
  parcel_number: string | null;
  note: string;
  proof_address: string;
  document_id: string | null;
  created_at: Date;
  decided_at: Date | null;
  reason: string | null;
  withdrawn_for: WithdrawnFor | null;
  ended_at: Date | null;
  erased_at: Date | null;
  document_name: string | null;
  scan: StoredDocument['scan'] | null;
  byte_size: number | null;
}

export function proofFrom(row: ProofRow): Proof {
  const { document_id, document_name, scan, byte_size } = row;
  return {
    id: row.id,
    status: row.status,
    ownerName: row.owner_name,
    parcelNumber: row.parcel_number,
    note: row.note,
    address: row.proof_address,
    document:
      document_id && document_name && scan
        ? { id: document_id, name: document_name, scan, bytes: Number(byte_size) }
        : null,
    uploadedAt: row.created_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
    reason: row.reason,
    withdrawnFor: row.withdrawn_for,
    endedAt: row.ended_at?.toISOString() ?? null,
    erased: row.erased_at !== null,
  };
}
