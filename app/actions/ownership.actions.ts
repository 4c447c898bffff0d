import { decideProof } from '#features/ownership/commands/decide-proof.ts';
import { uploadProof } from '#features/ownership/commands/upload-proof.ts';
import type { ProofDecision } from '#features/ownership/model.ts';
import { ownershipMessages } from '#features/ownership/rules.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { conflict, invalid, redirectWithToast, type Submission } from './run-action.ts';

/** Uploads a proof of ownership, and returns to the page with a toast. */
export const handleUploadProof =
  (propertyId: string) =>
  async ({ ctx, form, text }: Submission) => {
    const file = form.get('document');
    const chosen = file instanceof File && (file.size > 0 || file.name !== '');
    const result = await uploadProof(ctx, {
      propertyId,
      file: chosen ? { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) } : null,
      ownerName: text('ownerName'),
      parcelNumber: text('parcelNumber'),
      note: text('note'),
    });
    if (result.ok)
      return redirectWithToast(
        sellerPaths.ownership(propertyId),
        {
          title: ownershipMessages.uploaded,
          text: result.held ? ownershipMessages.heldText : ownershipMessages.uploadedText,
        },
        { status: 303 },
      );
    return result.reason === 'invalid' ? invalid(result.errors) : conflict(result.why);
  };

/** Decides about a proof, and goes on to the page that `next` names. */
export const handleDecideProof =
  (decision: ProofDecision, next: string) =>
  async ({ ctx, text }: Submission) => {
    const result = await decideProof(ctx, {
      proofId: text('proof'),
      version: text('version'),
      decision,
      reason: text('reason'),
    });
    if (result.ok)
      return redirectWithToast(next, {
        title: decision === 'verify' ? ownershipMessages.verified : ownershipMessages.refused,
        text: ownershipMessages.sellerNotified,
      });
    return result.reason === 'invalid'
      ? invalid(result.errors)
      : conflict({ title: ownershipMessages.notDecided, text: result.why });
  };
