import type { Submission } from '#app/actions/run-action.ts';
import type { NftForm } from '#features/nfts/commands/create-nft.ts';

/**
 * The form that makes a token, in either of two shapes: that of the page, and the row of `completion_nfts` that programs sent before, which
 * has the id of the property as that of its sale. Which sale the token belongs to is found by the property.
 */
export function readNftForm({ text, form }: Pick<Submission, 'text' | 'form'>): NftForm {
  if (!form.has('property_sale_id'))
    return {
      propertyId: text('property'),
      documentId: text('document'),
      recipient: text('recipient'),
      ...(form.has('name') && { name: text('name') }),
      ...(form.has('description') && { description: text('description') }),
    };
  const { document_id: documentId, name, description } = readMetadata(text('metadata'));
  return {
    propertyId: text('property_sale_id'),
    documentId: typeof documentId === 'string' ? documentId : '',
    recipient: text('recipient_address'),
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
  };
}

function readMetadata(json: string): { document_id?: unknown; name?: unknown; description?: unknown } {
  try {
    return Object(JSON.parse(json));
  } catch {
    return {};
  }
}
