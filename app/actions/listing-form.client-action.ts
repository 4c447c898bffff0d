import { type ListingFormActionData, saveMessages } from '#features/listing-form/components/action-data.ts';
import {
  endOpenDraft,
  saveAllForms,
  saveLeftForms,
} from '#features/listing-form/components/use-draft-autosave.ts';
import { formFromData } from '#features/listing-form/form.ts';
import { paths } from '#routing/paths.ts';
import { preserveInput } from './preserve-input.ts';

interface Args<T> {
  request: Request;
  serverAction: () => Promise<T>;
}

/** The client action of the listing form: an expired session keeps the page and its input too. */
export const keepListingInput = <T>(args: Args<T>) =>
  preserveInput(args, {
    inputOf: formFromData,
    toast: { title: saveMessages.failed },
    refusalsLeave: true,
    onRedirect(to) {
      if (to.headers.get('location')?.startsWith(paths.sellerLogin())) {
        const answer = { signedOut: true, toast: { title: saveMessages.signedOut, tone: 'bad' as const } };
        return { status: 401, answer: answer satisfies Partial<ListingFormActionData> };
      }
      // The listing was saved: remove the draft from this browser.
      if (to.status < 400) endOpenDraft();
      return null;
    },
  });

/** The client loader of the listing form: what is still being saved is part of what it loads. */
export async function loadAfterSaving<T>({ serverLoader }: { serverLoader: () => Promise<T> }): Promise<T> {
  await saveLeftForms();
  return serverLoader();
}

/** The client loader of a preview, which shows what is typed in the form that it is opened from. */
export async function loadAfterSavingAll<T>({
  serverLoader,
}: {
  serverLoader: () => Promise<T>;
}): Promise<T> {
  await saveAllForms();
  return serverLoader();
}
