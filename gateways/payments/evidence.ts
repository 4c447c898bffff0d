import { createHash } from 'node:crypto';
import { type DisputeEvidence, MAX_EVIDENCE_FILES_BYTES, PaymentError } from './port.ts';

const MAX_TEXT_LENGTH = 20_000;
const MAX_TEXTS_LENGTH = 150_000;

/**
 * Rejects evidence that no provider accepts.
 * @throws PaymentError `invalid` when there is none, for two files of one kind, and beyond the limits of texts and files
 */
export function validateEvidence({ texts, files }: DisputeEvidence): void {
  const written = Object.values(texts).filter((text) => text !== undefined);
  if (written.length + files.length === 0) throw new PaymentError('invalid', 'There is no evidence');
  const characters = written.reduce((sum, text) => sum + text.length, 0);
  if (characters > MAX_TEXTS_LENGTH || written.some((text) => text.length > MAX_TEXT_LENGTH))
    throw new PaymentError('invalid', 'The texts of the evidence are too long');
  if (new Set(files.map(({ kind }) => kind)).size < files.length)
    throw new PaymentError('invalid', 'There can be one file of each kind');
  const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0);
  if (bytes > MAX_EVIDENCE_FILES_BYTES || files.some((file) => file.bytes.byteLength === 0))
    throw new PaymentError('invalid', 'The files of the evidence are empty or too large');
}

/** The same for the same evidence. */
export function evidenceFingerprint({ disputeRef, texts, files }: DisputeEvidence): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([disputeRef, Object.entries(texts).toSorted(([a], [b]) => (a < b ? -1 : 1))]));
  for (const { kind, name, contentType, bytes } of files)
    hash.update(JSON.stringify([kind, name, contentType, bytes.byteLength])).update(bytes);
  return hash.digest('hex');
}
