import { data } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { invalid, redirectWithToast, runAction, type Submission } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { parseTableQuery } from '#app/table-query.ts';
import { makePrivate } from '#features/documents/commands/make-private.ts';
import { registerOnChain } from '#features/documents/commands/register-on-chain.ts';
import { revokeDocument } from '#features/documents/commands/revoke-document.ts';
import { uploadDocument } from '#features/documents/commands/upload-document.ts';
import {
  DocumentEntries,
  MAKE_PRIVATE,
  MakePrivateDialog,
  REGISTER,
} from '#features/documents/components/document-entries.tsx';
import { DocumentUpload, UPLOAD, uploadFields } from '#features/documents/components/document-upload.tsx';
import { RETRY_CHAIN } from '#features/documents/components/retry-chain.tsx';
import { REVOKE, RevokeDialog } from '#features/documents/components/revoke-dialog.tsx';
import { TokensTable } from '#features/documents/components/tokens-table.tsx';
import { propertyDocuments, propertyOfDocuments, tokensOfProperty } from '#features/documents/reads.ts';
import { documentMessages, revocationRefusals } from '#features/documents/rules.ts';
import { FileStoreError } from '#gateways/files/port.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import type { Route } from './+types/property-documents';
import { linksOf } from './documents/load-tab.ts';
import { retryOnChain } from './documents/retry-action.ts';

export async function loader({ params: { id: propertyId }, url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const { page } = parseTableQuery(url.searchParams, []);
  const [property, list, tokens] = await Promise.all([
    propertyOfDocuments(ctx, { propertyId }),
    readOrNull(ctx, () => propertyDocuments(ctx, { propertyId, page })),
    readOrNull(ctx, () => tokensOfProperty(ctx, { propertyId })),
  ]);
  const links = await linksOf(ctx, list?.documents);
  const askedTo = (dialog: string) =>
    url.searchParams.get('do') === dialog ? url.searchParams.get('id') : null;
  const closes = list?.documents.find(({ id }) => id === askedTo(MAKE_PRIVATE)) ?? null;
  const versions = list?.documents.flatMap((document) => [document, ...document.earlier]);
  const revokes = versions?.find(({ id, status }) => id === askedTo(REVOKE) && status !== 'revoked') ?? null;
  return data(
    { property, list, tokens, links, closes, revokes },
    list && tokens ? undefined : { status: 503 },
  );
}

export const action = (args: Route.ActionArgs) => {
  const propertyId = args.params.id;
  const here = adminPaths.propertyDocuments(propertyId);
  return runAction(args, {
    intents: {
      async [UPLOAD](submission) {
        const { ctx, text } = submission;
        const result = await uploadDocument(ctx, {
          propertyId,
          type: text('type'),
          name: text('name'),
          visibility: text('visibility'),
          confirmedPublic: text('confirm') === 'yes',
          file: await fileOf(submission),
        });
        if (!result.ok) return invalid(result.errors);
        const { name, version, scan } = result;
        const held = scan === 'held' ? ' It can be downloaded once the virus scanner has checked it.' : '';
        return redirectWithToast(
          here,
          { title: 'Document uploaded', text: `${name}, version ${version}.${held}` },
          { status: 303 },
        );
      },
      [RETRY_CHAIN]: retryOnChain,
      async [MAKE_PRIVATE]({ ctx, text }) {
        const { name, versions } = await makePrivate(ctx, { propertyId, documentId: text('id') });
        return redirectWithToast(
          here,
          versions > 0
            ? { title: 'The document is private', text: `${name} is no longer published.` }
            : { title: 'The document was private already', tone: 'info' },
          { status: 303 },
        );
      },
      async [REVOKE]({ ctx, text }) {
        const result = await revokeDocument(ctx, {
          propertyId,
          documentId: text('id'),
          reason: text('reason'),
        });
        if (!result.ok && result.reason !== 'revoked')
          return invalid({ reason: revocationRefusals[result.reason] });
        return redirectWithToast(
          here,
          result.ok
            ? { title: 'The document is revoked', text: `${result.name} no longer counts.` }
            : { title: 'Not done', text: revocationRefusals.revoked, tone: 'info' },
          { status: 303 },
        );
      },
      async [REGISTER]({ ctx, text }) {
        const result = await registerOnChain(ctx, { propertyId, documentId: text('id') });
        return redirectWithToast(
          here,
          result.ok
            ? {
                title: 'Registration requested',
                text: result.configured
                  ? `${result.name} is registered on the chain within minutes.`
                  : `${result.name} is registered once a chain is configured.`,
              }
            : { title: 'Not done', text: result.text, tone: 'bad' },
          { status: 303 },
        );
      },
    },
    preserve: [...uploadFields, 'reason'],
    messages: ({ intent }, error) => ({
      failed:
        intent === REGISTER
          ? documentMessages.failedRegistration
          : intent === RETRY_CHAIN
            ? documentMessages.failedRetry
            : intent === MAKE_PRIVATE
              ? documentMessages.failedPrivate
              : intent === REVOKE
                ? documentMessages.failedRevocation
                : error instanceof FileStoreError
                  ? 'The file could not be stored. Please try again.'
                  : documentMessages.failedUpload,
    }),
  });
};

const onPage = (page: number) => ({ page: page > 1 ? page : undefined });

/** The file of the form; null when none was chosen. */
async function fileOf({ form }: Submission) {
  const file = form.get('file');
  if (!(file instanceof File) || (file.size === 0 && file.name === '')) return null;
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields(...uploadFields, 'reason'),
    toast: { title: 'Error', text: documentMessages.failedUpload },
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(matches, {
    title: loaderData ? `Documents – ${loaderData.property.address}` : 'Documents',
    hidden: true,
  });

/** The documents of one property: added, registered, made private, revoked and downloaded here, with the tokens that evidence them. */
export default function PropertyDocuments({ loaderData, actionData, params }: Route.ComponentProps) {
  const { property, list, tokens, links, closes, revokes } = loaderData;
  return (
    <>
      <FlashToast toast={actionData?.toast} />
      <AreaHead
        title={`Documents – ${property.address}`}
        back={{ href: adminPaths.documents(), label: 'Back to Documents' }}
        actions={
          <>
            <ButtonLink variant="outline" to={adminPaths.properties({ details: property.id })}>
              View details
            </ButtonLink>
            <ButtonLink
              variant="outline"
              to={adminPaths.documents({ tab: 'property', property: property.id })}
            >
              Manage NFTs
            </ButtonLink>
          </>
        }
      />
      <Panel title="Upload a document" inset className="mt-0!">
        <DocumentUpload key={property.id} answer={actionData} />
      </Panel>
      {list ? (
        <>
          <Panel title="Documents">
            <DocumentEntries
              documents={list.documents}
              links={links}
              href={(dialog) => adminPaths.propertyDocuments(params.id, { ...onPage(list.page), ...dialog })}
            />
          </Panel>
          <Pagination
            page={list.page}
            pages={list.pages}
            href={(page) => adminPaths.propertyDocuments(params.id, onPage(page))}
            keepsScroll
          />
        </>
      ) : (
        <FailedPanel
          title={documentMessages.failedDocuments}
          detail={`${documentMessages.noDocumentData}.`}
        />
      )}
      <MakePrivateDialog
        document={closes}
        page={adminPaths.propertyDocuments(params.id, onPage(list?.page ?? 1))}
      />
      <RevokeDialog
        document={revokes}
        page={adminPaths.propertyDocuments(params.id, onPage(list?.page ?? 1))}
        answer={actionData}
      />
      <Panel title="NFTs">
        <TokensTable label="NFTs" of="kinds" rows={tokens} emptyText="None was made for this property yet." />
      </Panel>
    </>
  );
}
