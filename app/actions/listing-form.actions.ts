import {
  type ActionArgs,
  conflict,
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { editListing } from '#features/listing-form/commands/edit-listing.ts';
import { submitListing } from '#features/listing-form/commands/submit-listing.ts';
import {
  type ListingFormActionData,
  photosLeftText,
  saveMessages,
} from '#features/listing-form/components/action-data.ts';
import { formFromData, type ListingForm } from '#features/listing-form/form.ts';
import { TooManyRequests } from '#platform/errors.ts';
import { parseJson } from '#platform/parse-json.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import type { ToastInput } from '#ui/toast.ts';
import { draftVersion } from './draft-version.ts';
import { shownPhotos } from './shown-photos.ts';

type Draft = Pick<ListingFormActionData, 'draft'>;

type Outcome =
  | { ok: true; toast: ToastInput }
  | ({ ok: false; reason: string; errors?: ListingFormActionData['errors'] } & Draft);

/** Handles the form of a new listing. */
export const handleAddListing = (args: ActionArgs) =>
  runListingCommand(args, async ({ ctx, form, text }) => {
    const result = await submitListing(ctx, {
      draftId: text('draftId'),
      version: draftVersion(text('version')),
      form: formFromData(form),
      photoIds: shownPhotos(form),
    });
    if (!result.ok) return result;
    const { photosLeft } = result;
    if (photosLeft === 0) return { ok: true, toast: { title: saveMessages.submitted } };
    return {
      ok: true,
      toast: { title: saveMessages.photosLeftTitle, text: photosLeftText(photosLeft), tone: 'warn' },
    };
  });

/** Handles the form that edits a listing. */
export const handleEditListing = (args: ActionArgs, propertyId: string) =>
  runListingCommand(args, async ({ ctx, form, text }) => {
    const result = await editListing(ctx, {
      propertyId,
      version: draftVersion(text('version')),
      base: parseJson(text('base')),
      form: formFromData(form),
      resubmit: text('resubmit') === '1',
    });
    if (!result.ok) return result;
    const submitted = result.status === 'pending' && text('resubmit') === '1';
    return { ok: true, toast: { title: submitted ? saveMessages.submitted : saveMessages.updated } };
  });

/** Runs the command; refusals and errors return to the page with all of the input. */
const runListingCommand = (args: ActionArgs, command: (submission: Submission) => Promise<Outcome>) =>
  runAction<Draft, ListingForm>(args, {
    intents: {
      async save(submission): Promise<Response | Refusal<Draft>> {
        const result = await command(submission);
        if (result.ok) return redirectWithToast(sellerPaths.properties(), result.toast, { status: 303 });
        if (result.errors) return invalid(result.errors);
        if (result.draft) return { ok: false, status: 409, extra: { draft: result.draft } };
        return conflict({
          title: result.reason === 'submitted' ? saveMessages.submittedBefore : saveMessages.outdated,
        });
      },
    },
    fallback: 'save',
    preserve: formFromData,
    messages: (_, error) =>
      error instanceof TooManyRequests
        ? { title: error.message, limited: () => '' }
        : { title: saveMessages.failed, failed: '' },
  });
