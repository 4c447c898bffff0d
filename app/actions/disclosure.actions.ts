import { uploadDisclosure } from '#features/disclosures/commands/upload-disclosure.ts';
import { disclosureMessages } from '#features/disclosures/rules.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { conflict, invalid, redirectWithToast, type Submission } from './run-action.ts';

/** Uploads a disclosure, and returns to the page with a toast. */
export const handleUploadDisclosure =
  (propertyId: string) =>
  async ({ ctx, form, text }: Submission) => {
    const file = form.get('document');
    const chosen = file instanceof File && (file.size > 0 || file.name !== '');
    const result = await uploadDisclosure(ctx, {
      propertyId,
      file: chosen ? { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) } : null,
      name: text('name'),
    });
    if (!result.ok) return result.reason === 'invalid' ? invalid(result.errors) : conflict(result.why);
    const { uploaded, uploadedText, heldText } = disclosureMessages;
    return redirectWithToast(
      sellerPaths.disclosures(propertyId),
      { title: uploaded, text: result.held ? heldText : uploadedText },
      { status: 303 },
    );
  };
