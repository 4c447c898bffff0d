import {
  type ActionArgs,
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { createProperty } from '#features/listing-form/commands/create-property.ts';
import { editProperty } from '#features/listing-form/commands/edit-property.ts';
import type { NewerProperty, TypedProperty } from '#features/listing-form/components/property-action-data.ts';
import { type PropertyErrors, propertyFormFromData } from '#features/listing-form/property-form.ts';
import { propertyMessages } from '#features/listing-form/property-rules.ts';
import { sellerChoices } from '#features/listing-form/reads.ts';
import type { UploadedSurvey } from '#features/listing-form/survey.ts';
import { FileStoreError } from '#gateways/files/port.ts';
import { TooManyRequests } from '#platform/errors.ts';
import { parseJson } from '#platform/parse-json.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { draftVersion } from './draft-version.ts';
import { shownPhotos } from './shown-photos.ts';
import { typedProperty } from './typed-property.ts';

type Newer = { newer?: NewerProperty };
type Saved = { ok: true; survey: 'none' | 'stored' | 'held' };
type Outcome =
  | Saved
  | { ok: false; reason: 'invalid'; errors: PropertyErrors }
  | ({ ok: false; reason: 'newer' } & NewerProperty);

/** Handles an administrator's form of a new property. */
export const handleCreateProperty = (args: ActionArgs) =>
  runPropertyCommand(args, propertyMessages.created, propertyMessages.failedCreate, async (submission) =>
    createProperty(submission.ctx, {
      draftId: submission.text('draftId'),
      draftVersion: draftVersion(submission.text('draftVersion')),
      form: await formOf(submission),
      survey: await surveyOf(submission),
      photoIds: shownPhotos(submission.form),
    }),
  );

/** Handles an administrator's form that edits a property. */
export const handleEditProperty = (args: ActionArgs, propertyId: string) =>
  runPropertyCommand(args, propertyMessages.updated, propertyMessages.failedUpdate, async (submission) =>
    editProperty(submission.ctx, {
      propertyId,
      base: parseJson(submission.text('base')),
      form: await formOf(submission),
      reason: submission.text('reason'),
      survey: await surveyOf(submission),
    }),
  );

/** Runs the command; refusals and faults return to the page with all that was typed. */
const runPropertyCommand = (
  args: ActionArgs,
  done: string,
  failed: string,
  command: (submission: Submission) => Promise<Outcome>,
) =>
  runAction<Newer, TypedProperty>(args, {
    intents: {
      async save(submission): Promise<Response | Refusal<Newer>> {
        const result = await command(submission);
        if (result.ok)
          return redirectWithToast(
            adminPaths.properties(),
            { title: done, ...surveyText(result) },
            { status: 303 },
          );
        if (result.reason === 'invalid') return invalid(result.errors);
        const { current, conflicting } = result;
        return { ok: false, status: 409, extra: { newer: { current, conflicting } } };
      },
    },
    fallback: 'save',
    preserve: typedProperty,
    messages: (_, error) => {
      if (error instanceof TooManyRequests) return { title: error.message, limited: () => '' };
      return { failed: error instanceof FileStoreError ? propertyMessages.failedUpload : failed };
    },
  });

function surveyText({ survey }: Saved): { text?: string } {
  if (survey === 'none') return {};
  const { surveyUploaded, held } = propertyMessages;
  return { text: survey === 'held' ? `${surveyUploaded}. ${held}` : surveyUploaded };
}

/** The form; a seller who was typed and not chosen, as without JavaScript, counts when just one fits. */
async function formOf({ ctx, form, text }: Submission) {
  const typed = propertyFormFromData(form);
  const words = text('sellerText').trim();
  if (words === '' || words === text('sellerLabel')) return typed;
  const choices = await sellerChoices(ctx, words);
  const exact = choices.filter(({ email }) => email.toLowerCase() === words.toLowerCase());
  const [found, ...others] = exact.length > 0 ? exact : choices;
  return { ...typed, seller: found && others.length === 0 ? found.id : '' };
}

/** The file of the form; null when none was chosen. */
async function surveyOf({ form }: Submission): Promise<UploadedSurvey | null> {
  const file = form.get('survey');
  if (!(file instanceof File) || (file.size === 0 && file.name === '')) return null;
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}
