import { handleImport } from '#app/actions/import.actions.ts';
import { preserveInput } from '#app/actions/preserve-input.ts';
import { typedChoices } from '#app/actions/typed-import.ts';
import { pageMeta } from '#app/page-meta.ts';
import { ImportPage, loadImport } from '#app/pages/imports/details.tsx';
import { getCtx } from '#app/request.ts';
import { OfficeFields } from '#features/import-runs/components/office-fields.tsx';
import { importMessages } from '#features/import-runs/rules.ts';
import '#features/listing-form/components/property-form.css';
import { adminPaths } from '#routing/admin-paths.ts';
import { useAnswer } from '#ui/use-answer.ts';
import type { Route } from './+types/import';

export const loader = ({ params, url, context }: Route.LoaderArgs) =>
  loadImport(getCtx(context), 'admin', { importId: params.id, params: url.searchParams });

export const action = (args: Route.ActionArgs) =>
  handleImport(args, { area: 'admin', importId: args.params.id });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, { inputOf: typedChoices, toast: { title: 'Error', text: importMessages.failed } });

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: loaderData?.details ? `Import of ${loaderData.details.fileName}` : 'Import',
    hidden: true,
  });

/** One import, with the seller and the status of new listings. */
export default function Import({ loaderData, actionData }: Route.ComponentProps) {
  const { details } = loaderData;
  const answer = useAnswer(actionData);
  const refused = answer?.intent === 'check' && !answer.ok ? answer : undefined;
  return (
    <ImportPage
      area="admin"
      loaded={loaderData}
      answer={answer}
      office={
        details && (
          <OfficeFields
            // Another refusal shows what was sent then.
            key={JSON.stringify(refused?.input)}
            details={details}
            typed={refused?.input ?? {}}
            error={refused?.errors?.seller}
          />
        )
      }
      listingHref={adminPaths.editProperty}
    />
  );
}
