import { FileStoreError } from '#gateways/files/port.ts';
import { type EvidenceFile, type EvidenceKind, MAX_EVIDENCE_FILES_BYTES } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';

/** Room for the receipt, which has some twenty thousand bytes. */
const RECEIPT_BYTES = 500_000;

/** A delivered document, with what decides whether it can be attached. */
interface Candidate {
  id: string;
  type: string;
  contentType: string;
  bytes: number;
}

/** A document that goes to the provider as a file. */
export interface Attachment {
  kind: EvidenceKind;
  document: string;
}

/** What is attached, the most important first: providers take one file of a kind. */
const KINDS: readonly [type: string, kind: EvidenceKind][] = [
  ['Deed', 'service_documentation'],
  ['Contract', 'other'],
];

/**
 * Which of the delivered documents are attached: the newest deed and the newest contract that are PDF files, as far as all files together
 * are small enough. What is not attached is named with its hash.
 * @param documents oldest first
 */
export function chooseAttachments(documents: readonly Candidate[]): Attachment[] {
  let left = MAX_EVIDENCE_FILES_BYTES - RECEIPT_BYTES;
  const chosen: Attachment[] = [];
  for (const [type, kind] of KINDS) {
    const newest = documents.findLast(
      (one) => one.type === type && one.contentType === 'application/pdf' && one.bytes <= left,
    );
    if (!newest) continue;
    left -= newest.bytes;
    chosen.push({ kind, document: newest.id });
  }
  return chosen;
}

/**
 * The files of attachments. One that is gone by now is left out: evidence without it is better than none.
 * @param isLast nothing is tried again, so that files which cannot be read are left out as well
 * @throws FileStoreError while the store does not answer, unless `isLast`
 */
export async function readAttachments(
  ctx: CtxWith<'files'>,
  attachments: readonly Attachment[],
  isLast: boolean,
): Promise<EvidenceFile[]> {
  const files: EvidenceFile[] = [];
  for (const { kind, document } of attachments) {
    const bytes = await readDocument(ctx, document, isLast);
    // Names are for people: the bank sees what it is by the kind.
    if (bytes) files.push({ kind, name: `${kind}.pdf`, contentType: 'application/pdf', bytes });
    else ctx.log.warn({ document }, 'a document could not be attached to the evidence for a dispute');
  }
  return files;
}

async function readDocument(ctx: CtxWith<'files'>, id: string, isLast: boolean): Promise<Uint8Array | null> {
  const row = await ctx.db
    .q()
    .selectFrom('document_registry')
    .select('file_key')
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  try {
    const file = await ctx.files.get(row.file_key);
    return file && new Uint8Array(await new Response(file.body).arrayBuffer());
  } catch (error) {
    if (isLast && error instanceof FileStoreError) return null;
    throw error;
  }
}
