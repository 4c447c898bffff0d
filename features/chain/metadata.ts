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

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** The content address (CIDv1, one raw block) of a short text, which metadata always is. */
export function textCid(text: string): string {
  const digest = createHash('sha256').update(text).digest();
  const bits = [0x01, 0x55, 0x12, 0x20, ...digest].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{1,5}/g)?.map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]);
  return `b${letters?.join('')}`;
}

/** Which token of the contract is that of a document and a kind. */
export const tokenKey = (documentId: string, kind: string): `0x${string}` =>
  `0x${createHash('sha256').update(`acre token ${documentId} ${kind}`).digest('hex')}`;
