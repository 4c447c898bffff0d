import { createHash } from 'node:crypto';

/** What a token says about the document that it evidences. */
interface TokenFacts {
  name: string;
  description: string;
  kind: string;
  /** as anchored: salted when the document is private */
  anchorHash: string;
  /** of a public document; that of a private one would lead to its contents */
  cid: string | null;
}

/** Stands in every token. */
const NOTICE = 'This token evidences a document. It is not legal title to a property.';

/** The metadata of a token, as the bytes whose content address the token names. The same facts give the same bytes. */
export const tokenMetadata = ({ name, description, kind, anchorHash, cid }: TokenFacts): string =>
  JSON.stringify({
    name,
    description,
    notice: NOTICE,
    document: { sha256: anchorHash, ...(cid && { cid }) },
    attributes: [
      { trait_type: 'Kind', value: kind },
      { trait_type: 'Document hash', value: anchorHash },
      ...(cid ? [{ trait_type: 'Document CID', value: cid }] : []),
    ],
  });

/** Which token of the contract is that of a document and a kind. */
export const tokenKey = (documentId: string, kind: string): `0x${string}` =>
  `0x${createHash('sha256').update(`acre token ${documentId} ${kind}`).digest('hex')}`;
