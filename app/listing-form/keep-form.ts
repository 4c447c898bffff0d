import { data, isRouteErrorResponse } from 'react-router';
import { paths } from '#app/paths.ts';
import { type ListingFormAnswer, saveTexts } from '#features/listings/components/form-answer.ts';
import { endOpenDraft } from '#features/listings/components/use-draft.ts';
import { formOfData } from '#features/listings/listing-form.ts';

/** A lost connection, a fault and an ended session keep the page and everything that stands in its form. */
export async function keepForm<T>(request: Request, serverAction: () => Promise<T>) {
  // A status of failure: nothing of the page is read again, which might lead away from it.
  const keep = (answer: ListingFormAnswer, status: number) => data(answer, { status });
  const form = formOfData(await request.clone().formData());
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) {
      const to = error.headers.get('location') ?? '';
      if (to.startsWith(paths.agentLogin()))
        return keep({ form, signedOut: true, toast: saveTexts.signedOut }, 401);
      // It was taken: nothing of the draft stays in this browser.
      if (error.status < 400) endOpenDraft();
      throw error;
    }
    if (isRouteErrorResponse(error) && error.status < 500) throw error;
    return keep({ form, toast: saveTexts.failed }, 503);
  }
}
