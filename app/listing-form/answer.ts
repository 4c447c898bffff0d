import { data, redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { formOf } from '#app/form.ts';
import { paths } from '#app/paths.ts';
import type { RequestScope } from '#app/request.ts';
import { typedText } from '#app/sign-in/answer.ts';
import { editListing } from '#features/listings/commands/edit-listing.ts';
import { submitListing } from '#features/listings/commands/submit-listing.ts';
import { type ListingFormAnswer, saveTexts } from '#features/listings/components/form-answer.ts';
import { formOfData } from '#features/listings/listing-form.ts';
import { attachPhotos } from '#features/photos/commands/attach-photos.ts';
import { AppError, TooManyRequests } from '#platform/errors.ts';

type Outcome =
  | { ok: true; toast: string }
  | { ok: false; reason: string; errors?: ListingFormAnswer['errors']; draft?: ListingFormAnswer['draft'] };

/** Takes the form of a new listing. */
export const answerAdd = (request: Request, scope: RequestScope) =>
  answering(request, scope, async (form) => {
    const input = { draftId: typedText(form, 'draftId'), version: versionOf(form), form: formOfData(form) };
    const { geocoder } = scope.services;
    const result = await submitListing(scope.ctx, input, { geocoder, attachPhotos });
    return result.ok ? { ok: true, toast: saveTexts.submitted } : result;
  });

/** Takes the form of an edit. */
export const answerEdit = (request: Request, scope: RequestScope, propertyId: string) =>
  answering(request, scope, async (form) => {
    const result = await editListing(
      scope.ctx,
      {
        propertyId,
        version: versionOf(form),
        base: parsed(typedText(form, 'base')),
        form: formOfData(form),
        resubmit: typedText(form, 'resubmit') === '1',
      },
      scope.services.geocoder,
    );
    if (!result.ok) return result;
    const submitted = result.status === 'pending' && typedText(form, 'resubmit') === '1';
    return { ok: true, toast: submitted ? saveTexts.submitted : saveTexts.updated };
  });

/** Runs the command; whatever keeps it from its end comes back to the page with everything that was typed. */
async function answering(
  request: Request,
  { ctx }: RequestScope,
  work: (form: FormData) => Promise<Outcome>,
) {
  const form = await formOf(request);
  const typed = formOfData(form);
  const refuse = (answer: Omit<ListingFormAnswer, 'form'>, status: number) =>
    data({ ...answer, form: typed } satisfies ListingFormAnswer, { status });
  try {
    const result = await work(form);
    if (result.ok) {
      const headers = { 'set-cookie': setFlash({ title: result.toast }) };
      return redirect(paths.agentProperties(), { status: 303, headers });
    }
    if (result.errors) return refuse({ errors: result.errors }, 422);
    if (result.draft) return refuse({ draft: result.draft }, 409);
    return refuse(
      { toast: 'This property can no longer be changed like this. Please load the page again.' },
      409,
    );
  } catch (error) {
    if (error instanceof TooManyRequests) return refuse({ toast: error.message }, 429);
    if (error instanceof AppError || error instanceof Response) throw error;
    ctx.log.error({ err: error }, 'a property could not be saved');
    return refuse({ toast: saveTexts.failed }, 500);
  }
}

function versionOf(form: FormData): number {
  const version = Number(typedText(form, 'version'));
  return Number.isInteger(version) && version > 0 && version < 2 ** 31 - 1 ? version : 0;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
